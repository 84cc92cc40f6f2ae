import { beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/kernel/clock.ts';
import type { ChartQuery } from '../../src/query/chart-query.ts';
import { compileChart } from '../../src/query/compile-chart.ts';
import type { CompiledQuery } from '../../src/query/compiled-query.ts';
import type { EventSourceSchema } from '../../src/query/source-schema.ts';
import { ClickHouseAttributeColumns } from '../../src/telemetry/attribute-columns/attribute-columns.ts';
import { type AttributeColumnMaker, HotAttributes } from '../../src/telemetry/attribute-columns/hot-attributes.ts';
import { ClickHouseTableSchemas } from '../../src/telemetry/table-schemas.ts';
import { openEngine, type TestEngine } from '../support/start-engine.ts';
import {
  chart,
  guardsFor,
  insertRows,
  logSource,
  makeDatabase,
  minute,
  type Row,
  run,
  T0,
} from './telemetry-fixture.ts';

const database = 'otel_attribute_column_tests';
const manyRows = 1e9;
/** Numbers, near-numbers and texts; in the record, in the resource, in both, in neither. */
const values = [
  '',
  '0',
  '7',
  '-3.5',
  '1e3',
  ' 8',
  '8 ',
  '0x10',
  'nan',
  'inf',
  '-0',
  '1e999',
  'seven',
  '٣',
  "it's",
  '*',
];
let engine: TestEngine;
let plain: EventSourceSchema;
let promoted: EventSourceSchema;

function rowsAt(offset: number): Row[] {
  return values.flatMap((value, index) => {
    const Timestamp = T0 + offset + index * minute;
    const own = { key: value, 'http.ms': value };
    return [
      { Timestamp, ServiceName: 'a', Body: 'own', LogAttributes: own, ResourceAttributes: { key: 'other' } },
      { Timestamp, ServiceName: 'b', Body: 'resource', LogAttributes: {}, ResourceAttributes: own },
      { Timestamp, ServiceName: 'b', Body: 'none', LogAttributes: { else: 'x' }, ResourceAttributes: {} },
    ];
  });
}

const texts = ['key', 'LogAttributes.key', "ResourceAttributes['key']", 'http.ms', 'LogAttributes.http.ms'];
const wheres = (field: string) => [
  `${field}:>5`,
  `-${field}:>5`,
  `${field}:[-4 TO 8}`,
  `${field}:"7"`,
  `${field}:*e*`,
  `${field}:*`,
  `${field}:(7 OR seven)`,
];
const luceneFields = ['key', 'LogAttributes.key', 'ResourceAttributes.key', 'http.ms', 'LogAttributes.http.ms'];
const queries: [string, ChartQuery][] = [
  ...luceneFields.flatMap((field) => wheres(field).map((where): [string, ChartQuery] => [where, chart({ where })])),
  ...texts.flatMap((field): [string, ChartQuery][] => [
    [`groups by ${field}`, chart({}, { groupBy: [field] })],
    [
      `sum and p50 of ${field}`,
      chart([
        { aggregate: 'sum', field },
        { aggregate: 'quantile', level: 0.5, field },
      ]),
    ],
    [`distinct ${field}`, chart({ aggregate: 'count_distinct', field })],
    [
      `${field} = 7 OR ${field} IN ('seven', '')`,
      chart({ where: `${field} = 7 OR ${field} IN ('seven', '')`, whereLanguage: 'sql' }),
    ],
  ]),
];
const compiled = (query: ChartQuery, source: EventSourceSchema): CompiledQuery =>
  compileChart(query, source, guardsFor(database));
const columnsMaker = (columnsMax: number) =>
  new ClickHouseAttributeColumns({ client: engine.client, topology: { kind: 'embedded' }, columnsMax });

beforeAll(async () => {
  engine = await openEngine();
  await makeDatabase(engine, database);
  await insertRows(engine, database, 'otel_logs', rowsAt(0));
  plain = await logSource(engine, database);
  const failures: unknown[] = [];
  const reads = queries.flatMap(([, query]) => compiled(query, plain).attributeReads ?? []);
  const open = new Set(reads.map((read) => JSON.stringify(read)));
  await new Promise<void>((resolve) => {
    const maker = columnsMaker(100);
    const offer: AttributeColumnMaker['offer'] = (read, rowsRead) =>
      maker.offer(read, rowsRead).finally(() => {
        open.delete(JSON.stringify(read));
        if (open.size === 0) resolve();
      });
    new HotAttributes({ offer }, (error) => failures.push(error)).record(reads, manyRows);
  });
  expect(failures).toEqual([]);
  await insertRows(engine, database, 'otel_logs', rowsAt(20 * minute));
  const table = await new ClickHouseTableSchemas(engine.client, systemClock).describe(database, 'otel_logs');
  promoted = { ...plain, table: table ?? plain.table };
});

describe('attributes that have columns', () => {
  it.each(queries)('%s: the same answer without the maps, of rows from before and after', async (_, query) => {
    expect(await run(engine, query, promoted)).toEqual(await run(engine, query, plain));
    const { attributeReads = [] } = compiled(query, promoted);
    expect(attributeReads).toEqual([]);
  });

  it('rows from before are filled in as well', async () => {
    const running = async () => {
      const sql = `SELECT count() FROM system.mutations WHERE database = '${database}' AND NOT is_done`;
      return (await engine.client.query(sql, { timeoutMs: 10_000 })).columns[0]?.[0];
    };
    await expect.poll(running).toBe(0);
    const sql = `SELECT countIf(column = '__attribute_text_LogAttributes.key'), count(DISTINCT name)
      FROM system.parts_columns WHERE database = '${database}' AND table = 'otel_logs' AND active`;
    const [filled, parts] = (await engine.client.query(sql, { timeoutMs: 10_000 })).columns.map(([cell]) => cell);
    expect(filled).toBe(parts);
  });

  it('the table definition tolerates them: ensuring it again changes nothing', async () => {
    await makeDatabase(engine, database);
    const table = await new ClickHouseTableSchemas(engine.client, systemClock).describe(database, 'otel_logs');
    expect(table).toEqual(promoted.table);
  });
});

describe('which attributes get columns', () => {
  const readOf = (key: string, table = 'otel_traces') =>
    ({ database, table, attribute: { maps: ['SpanAttributes'], key }, form: 'text' }) as const;

  it('so many for a table, no more', async () => {
    const maker = columnsMaker(2);
    const outcomes: string[] = [];
    for (const key of ['a', 'b', 'c', 'a']) outcomes.push((await maker.offer(readOf(key), manyRows)).outcome);
    expect(outcomes).toEqual(['made', 'made', 'rejected', 'made']);
  });

  it('those whose lack has cost more than the column would', async () => {
    const read = { ...readOf('k', 'otel_logs'), attribute: { maps: ['LogAttributes'], key: 'k' } };
    const rows = 2 * 3 * values.length;
    expect(await columnsMaker(100).offer(read, rows - 1)).toEqual({ outcome: 'tooSoon', rows });
    expect(await columnsMaker(100).offer(read, rows)).toEqual({ outcome: 'made' });
  });

  it.each(["it's", 'a\\b', 'a`b', 'a b', '', 'x'.repeat(201)])(
    'not the key %j: it could not be known again',
    async (key) => {
      expect(await columnsMaker(100).offer(readOf(key), manyRows)).toEqual({ outcome: 'rejected' });
    },
  );

  it('not tables that are not ours', async () => {
    expect(await columnsMaker(100).offer(readOf('k', 'their_logs'), manyRows)).toEqual({ outcome: 'rejected' });
  });
});
