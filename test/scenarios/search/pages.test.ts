import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from '../../../src/http/testing.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { FakeClock } from '../../../src/kernel/fake-clock.ts';
import { UnseenAttributes } from '../../../src/resources/charts/reading/unseen-attributes.ts';
import { searchEvents } from '../../../src/resources/search/operations/search-events.ts';
import { SearchService } from '../../../src/resources/search/search-service.ts';
import type { TestEngine } from '../../support/start-engine.ts';
import { ChartApi, limits, minuteMs, t0 } from '../charts/chart-api.ts';
import { startStore } from '../charts/telemetry-rows.ts';

let engine: TestEngine;
let api: TestApi;
let sources: Record<'log' | 'trace', string>;

beforeAll(async () => {
  engine = await startStore();
  const charts = await ChartApi.over({ runner: engine.queryRunner, schemas: engine.tableSchemas });
  api = new TestApi('selfHosted', [
    searchEvents(
      new SearchService({
        sources: charts.parts.readable,
        unseen: new UnseenAttributes(systemClock),
        limits,
        clock: new FakeClock(),
      }),
    ),
  ]);
  sources = { log: await charts.sourceId('log'), trace: await charts.sourceId('trace') };
});

const dayMs = 86_400_000;
const iso = (ms: number) => new Date(ms).toISOString();
const range = { startTime: iso(t0), endTime: iso(t0 + 60 * minuteMs) };

async function page(body: object): Promise<string[]> {
  const answer = await api.send('POST', '/search', { body: { ...range, ...body } });
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.body}`);
  return (answer.json as { data: object[] }).data.map((row) => JSON.stringify(row));
}

/** All pages of a search, one after the other. */
async function pages(body: object, size: number): Promise<string[]> {
  const found: string[] = [];
  for (;;) {
    const rows = await page({ ...body, maxResults: size, offset: found.length });
    found.push(...rows);
    if (rows.length < size) return found;
  }
}

/** `count` rows at one instant, or spread over some, that differ in one expression over `number` only. */
async function insert(
  kind: 'log' | 'trace',
  service: string,
  parts: { count: number; instants: number; differs: string; apartUs?: number },
) {
  const [column = '', value = ''] = parts.differs.split(' = ');
  const table = kind === 'log' ? 'otel.otel_logs' : 'otel.otel_traces';
  const at = `addNanoseconds(fromUnixTimestamp64Milli(toInt64(${t0 + minuteMs}), 'UTC'), (number % ${parts.instants}) * ${(parts.apartUs ?? 400) * 1_000})`;
  const sql = `INSERT INTO ${table} (Timestamp, ServiceName, ${column}) SELECT ${at}, '${service}', ${value} FROM numbers(${parts.count})`;
  await engine.client.command(sql, { timeoutMs: 30_000 });
}

const kinds = {
  'text of a log': ['log', 'Body = toString(number)', 'Timestamp, Body'],
  'a map of a log': ['log', "LogAttributes = map('n', toString(number))", 'Timestamp, Body, LogAttributes'],
  'one attribute of a log': ['log', "LogAttributes = map('n', toString(number))", "Body, LogAttributes['n']"],
  'the name of a span': ['trace', 'SpanName = toString(number)', 'Timestamp, SpanName'],
  'a large integer of a span': ['trace', 'Duration = 18446744073709551615 - number', 'Duration'],
  'an array of a span': ['trace', '`Events.Name` = [toString(number)]', 'SpanName, Events.Name'],
  'an array of maps of a span': ['trace', "`Events.Attributes` = [map('n', toString(number))]", 'Events.Attributes'],
} as const;

describe('events with equal sort keys appear on exactly one page', () => {
  it.each(Object.entries(kinds))('that differ in %s: 200 of one instant, in pages of 25', async (title, row) => {
    const [kind, differs, select] = row;
    await insert(kind, title, { count: 200, instants: 1, differs });
    const body = { sourceId: sources[kind], select, where: `ServiceName = '${title}'`, whereLanguage: 'sql' };
    const found = await pages(body, 25);
    expect([found.length, new Set(found).size]).toEqual([200, 200]);
  });

  it('whatever the sizes of pages, the instants and the order', async () => {
    let run = 0;
    const given = fc.record({
      kind: fc.constantFrom(...Object.values(kinds)),
      count: fc.integer({ min: 1, max: 60 }),
      instants: fc.integer({ min: 1, max: 8 }),
      size: fc.integer({ min: 1, max: 25 }),
      orderBy: fc.constantFrom('', 'Timestamp ASC', 'Timestamp DESC', 'ServiceName', 'ServiceName DESC, Timestamp ASC'),
      // Of days the nearest part is read first.
      days: fc.constantFrom(0, 1, 8),
      apartUs: fc.constantFrom(400, 60_000_000, 3_600_000_000),
    });
    await fc.assert(
      fc.asyncProperty(
        given,
        async ({ kind: [kind, differs, select], count, instants, size, orderBy, days, apartUs }) => {
          run += 1;
          const service = `run ${run}`;
          await insert(kind, service, { count, instants, differs, ...(days > 0 && { apartUs }) });
          const where = { where: `ServiceName = '${service}'`, whereLanguage: 'sql' };
          const times = days > 0 && { startTime: iso(t0 - days * dayMs), endTime: iso(t0 + days * dayMs) };
          const body = { sourceId: sources[kind], select, ...where, ...times, ...(orderBy && { orderBy }) };
          const found = await pages(body, size);
          expect([found.length, new Set(found).size]).toEqual([count, count]);
          expect(found).toEqual(await page({ ...body, maxResults: 100 }));
        },
      ),
      { numRuns: 25 },
    );
  });

  it('events that look the same are shown as often as they are', async () => {
    await insert('log', 'same', { count: 30, instants: 1, differs: "Body = 'same'" });
    const found = await pages({ sourceId: sources.log, select: 'Body', where: 'ServiceName:same' }, 7);
    expect(found).toEqual(Array.from({ length: 30 }, () => '{"Body":"same"}'));
  });
});
