import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { compileChart } from '../../src/query/compile-chart.ts';
import { QueryTextError } from '../../src/query/compiled-query.ts';
import type { EventSourceSchema } from '../../src/query/source-schema.ts';
import { allowedFunctionNames } from '../../src/query/sql/functions.ts';
import { openEngine, type TestEngine } from '../support/start-engine.ts';
import { chart, guardsFor, insertRows, logSource, makeDatabase, minute, rowsOf, T0 } from './telemetry-fixture.ts';

const database = 'otel_sql_function_tests';
const page = readFileSync(join(import.meta.dirname, '../../docs/sql.md'), 'utf8');
const examples = [...page.matchAll(/^\| `(.+?)` \| (.*?) ?\|/gm)].map(([, text = '', result = '']) => ({
  text: text.replaceAll('\\|', '|').replaceAll('\\\\', '\\'),
  result: result.trim(),
}));
let engine: TestEngine;
let source: EventSourceSchema;

beforeAll(async () => {
  engine = await openEngine();
  await makeDatabase(engine, database);
  source = await logSource(engine, database);
  await insertRows(engine, database, 'otel_logs', [
    {
      Timestamp: T0 + 30 * minute + 45_123,
      Body: 'connection refused by 10.0.0.7, retry 3 of 5',
      ServiceName: 'checkout',
      SeverityNumber: 17,
      LogAttributes: {
        doc: '{"user":{"name":"Ann","age":7},"tags":["a","b"],"vip":true,"cost":1.5}',
        flat: '{"name":"Ann","age":7,"vip":true,"cost":1.5}',
        list: 'red,green,blue',
        url: 'https://www.shop.example/cart/items?id=7&x=a%20b#top',
        n: '42.5',
        at: '2026-01-31 12:00:00',
        'order.state': 'paid',
        ParcelNo: 'P-17',
      },
    },
  ]);
});

/** The value as a group shows it. */
async function groupOf(text: string): Promise<unknown> {
  const compiled = compileChart(chart({}, { groupBy: [text] }), source, guardsFor(database));
  const result = await engine.queryRunner.run(compiled, { queryClass: 'interactive', timeoutMs: 30_000 });
  return rowsOf(result)[0]?.g0;
}

describe('SQL on the engine: docs/sql.md, row by row', () => {
  it.each(examples)('$text', async ({ text, result }) => {
    if (result === 'rejected') await expect(groupOf(text)).rejects.toThrow(QueryTextError);
    else expect(await groupOf(text)).toBe(result);
  });

  it('has an example of each allowed function', () => {
    const used = new Set(examples.flatMap(({ text }) => [...text.matchAll(/(\w+)\(/g)].map(([, name]) => name)));
    expect(allowedFunctionNames.filter((name) => !used.has(name))).toEqual([]);
  });
});
