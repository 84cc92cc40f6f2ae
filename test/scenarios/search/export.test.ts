import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { exportRowsMax } from '../../../src/contract/export-format.ts';
import { TestApi } from '../../../src/http/testing.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { UnseenAttributes } from '../../../src/resources/charts/reading/unseen-attributes.ts';
import { exportEvents } from '../../../src/resources/search/operations/export-events.ts';
import { searchEvents } from '../../../src/resources/search/operations/search-events.ts';
import { SearchExportService } from '../../../src/resources/search/search-export-service.ts';
import { SearchService } from '../../../src/resources/search/search-service.ts';
import { type QueryRunner, TelemetryError } from '../../../src/telemetry/ports.ts';
import { readCsv } from '../../support/read-csv.ts';
import type { TestEngine } from '../../support/start-engine.ts';
import { ChartApi, limits, minuteMs, t0, tenant } from '../charts/chart-api.ts';
import { startStore } from '../charts/telemetry-rows.ts';

let engine: TestEngine;
let api: TestApi;
let exports: SearchExportService;
let sources: Record<'log' | 'trace', string>;
/** Run before each statement of an export, with how many there were before. */
let beforeStatement: (statements: number) => Promise<void> = async () => {};
let statements = 0;

beforeAll(async () => {
  engine = await startStore();
  const runner: QueryRunner = {
    run: async (query, options) => {
      if (options.name === 'export query') await beforeStatement(statements++);
      return engine.queryRunner.run(query, options);
    },
  };
  const charts = await ChartApi.over({ runner, schemas: engine.tableSchemas });
  const deps = { sources: charts.parts.readable, limits, clock: systemClock };
  exports = new SearchExportService(deps);
  const events = new SearchService({ ...deps, unseen: new UnseenAttributes(systemClock) });
  api = new TestApi('selfHosted', [searchEvents(events), exportEvents(exports)]);
  sources = { log: await charts.sourceId('log'), trace: await charts.sourceId('trace') };
});

const iso = (ms: number) => new Date(ms).toISOString();
const range = { startTime: iso(t0), endTime: iso(t0 + 60 * minuteMs) };
const never = new AbortController().signal;

const send = (body: object, key: 'admin' | 'other' | 'none' = 'admin') =>
  api.send('POST', '/search/export', { key, body: { sourceId: sources.log, format: 'ndjson', ...range, ...body } });

async function exported(body: object): Promise<string[]> {
  const answer = await send(body);
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.body}`);
  return answer.body.split('\n').slice(0, -1);
}

/** `count` logs of a service, `perMs` of them in each millisecond, whose texts are their numbers from `first` on. */
async function insert(service: string, { count, perMs, first = 0 }: { count: number; perMs: number; first?: number }) {
  const nanoseconds = `intDiv(number, ${perMs}) * 1000000 + number % ${perMs}`;
  const at = `addNanoseconds(fromUnixTimestamp64Milli(toInt64(${t0 + minuteMs}), 'UTC'), ${nanoseconds})`;
  const sql = `INSERT INTO otel.otel_logs (Timestamp, ServiceName, Body) SELECT ${at}, '${service}', toString(${first} + number) FROM numbers(${count})`;
  await engine.client.command(sql, { timeoutMs: 60_000 });
}

const ofService = (service: string) => ({ where: `ServiceName = '${service}'`, whereLanguage: 'sql' as const });

describe('an export has the rows of the search', () => {
  it('whatever the order, the format, the limit and how many events share a millisecond', async () => {
    let run = 0;
    const given = fc.record({
      count: fc.integer({ min: 0, max: 300 }),
      perMs: fc.constantFrom(1, 3, 50, 1000),
      limit: fc.option(fc.integer({ min: 1, max: 400 }), { nil: undefined }),
      orderBy: fc.constantFrom('', 'Timestamp ASC', 'Timestamp DESC', 'Body', 'ServiceName DESC, Timestamp ASC'),
    });
    await fc.assert(
      fc.asyncProperty(given, async ({ count, perMs, limit, orderBy }) => {
        run += 1;
        const service = `run ${run}`;
        if (count > 0) await insert(service, { count, perMs });
        const body = { sourceId: sources.log, select: 'Timestamp, Body', ...ofService(service), orderBy };
        const searched = await api.send('POST', '/search', { body: { ...range, ...body, maxResults: 2000 } });
        const rows = (searched.json as { data: { Timestamp: string; Body: string }[] }).data.slice(0, limit);
        expect(rows.length).toBe(Math.min(count, limit ?? count));
        const asked = { ...body, ...(limit !== undefined && { limit }) };
        expect(await exported(asked)).toEqual(rows.map((row) => JSON.stringify(row)));
        const csv = (await send({ ...asked, format: 'csv' })).body;
        expect(readCsv(csv)).toEqual([['Timestamp', 'Body'], ...rows.map((row) => [row.Timestamp, row.Body])]);
      }),
      { numRuns: 20 },
    );
  });

  it.each([1, 7, 4_000, 30_000])('over several pages: %d events in each millisecond', async (perMs) => {
    const service = `dense ${perMs}`;
    await insert(service, { count: 30_000, perMs });
    for (const orderBy of ['Timestamp DESC', 'Timestamp ASC']) {
      const rows = await exported({ select: 'Body', ...ofService(service), orderBy });
      const numbers = rows.map((row) => Number((JSON.parse(row) as { Body: string }).Body));
      if (orderBy === 'Timestamp DESC') numbers.reverse();
      expect(numbers).toEqual(Array.from({ length: 30_000 }, (_, index) => index));
    }
  });

  it('over several pages by a column', async () => {
    await insert('by column', { count: 12_000, perMs: 1 });
    const rows = await exported({ select: 'Body', ...ofService('by column'), orderBy: 'ServiceName, Body DESC' });
    const texts = rows.map((row) => (JSON.parse(row) as { Body: string }).Body);
    expect(new Set(texts).size).toBe(12_000);
    expect(texts).toEqual(texts.toSorted().reverse());
  });

  it('100,000 newest of 120,000, while events arrive everywhere in the range: each exactly once', async () => {
    await insert('busy', { count: 120_000, perMs: 2 });
    statements = 0;
    beforeStatement = async () => {
      // Into what was read already and into what is still to be read.
      for (const perMs of [1, 50]) await insert('busy', { count: 2_000, perMs, first: 1_000_000 });
    };
    const body = { sourceId: sources.log, format: 'csv' as const, ...range, select: 'Body', ...ofService('busy') };
    const { parts, limit, fileName } = await exports.export(tenant.id, body, never);
    expect(limit).toBe(exportRowsMax);
    expect(fileName).toMatch(/^logs-\d{8}T\d{6}Z-\d{8}T\d{6}Z\.csv$/);
    let csv = '';
    for await (const part of parts) csv += part;
    beforeStatement = async () => {};
    const rows = readCsv(csv).slice(1).flat().map(Number);
    expect(rows.length).toBe(exportRowsMax);
    expect(statements).toBeGreaterThan(8);
    const before = rows.filter((number) => number < 1_000_000);
    const newest = Array.from({ length: before.length }, (_, index) => 119_999 - index);
    expect(before).toEqual(newest);
  });

  it('only what the client takes is read', async () => {
    await insert('slow', { count: 40_000, perMs: 1 });
    statements = 0;
    const body = { sourceId: sources.log, format: 'ndjson' as const, ...range, select: 'Body', ...ofService('slow') };
    const { parts } = await exports.export(tenant.id, body, never);
    const taken: string[] = [];
    for await (const part of parts) {
      taken.push(part);
      if (taken.length === 3) break;
    }
    expect(statements).toBe(1);
    expect(taken.join('').split('\n').length).toBeLessThan(2_000);
  });
});

describe('what an export answers', () => {
  it('a file with a name, a type and the limit', async () => {
    const csv = await send({ format: 'csv', limit: 5 });
    expect(csv.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': expect.stringMatching(/^attachment; filename="logs-.*\.csv"$/),
      'x-export-limit': '5',
    });
    expect((await send({})).headers).toMatchObject({
      'content-type': 'application/x-ndjson; charset=utf-8',
      'x-export-limit': '100000',
    });
  });

  it('times to the nanosecond', async () => {
    await insert('exact', { count: 2, perMs: 1000 });
    const rows = await exported({ select: 'Timestamp', ...ofService('exact'), orderBy: 'Timestamp' });
    const second = iso(t0 + minuteMs).replace('.000Z', '');
    expect(rows).toEqual([`{"Timestamp":"${second}.000000000Z"}`, `{"Timestamp":"${second}.000000001Z"}`]);
  });

  it.each([
    [{ format: 'xlsx' }, /format/],
    [{ format: undefined }, /format/],
    [{ limit: 0 }, /limit/],
    [{ limit: exportRowsMax + 1 }, /limit/],
    [{ where: '(a' }, /^where: /],
    [{ select: 'Body, file(1)' }, /^select\.1: /],
    [{ orderBy: 'Nothing' }, /^orderBy: /],
    [{ startTime: range.endTime, endTime: range.startTime }, /^endTime: /],
  ])('%j is answered 400', async (body, text) => {
    const answer = await send(body);
    expect([answer.status, api.errorText(answer)]).toEqual([400, expect.stringMatching(text)]);
  });

  it('404 for the source of another team, 401 without a key', async () => {
    expect((await send({}, 'other')).status).toBe(404);
    expect((await send({}, 'none')).status).toBe(401);
  });

  it('a store that is away before the first page: 503', async () => {
    beforeStatement = async () => {
      throw new TelemetryError('unavailable', 'gone');
    };
    const answer = await send({});
    beforeStatement = async () => {};
    expect(answer.status).toBe(503);
  });

  it('a store that goes away later fails the file', async () => {
    await insert('cut off', { count: 5_000, perMs: 1 });
    statements = 0;
    beforeStatement = async (before) => {
      if (before > 0) throw new TelemetryError('unavailable', 'gone');
    };
    const body = { sourceId: sources.log, format: 'ndjson' as const, ...range, ...ofService('cut off') };
    const { parts } = await exports.export(tenant.id, body, never);
    const read = async () => {
      for await (const part of parts) expect(part).not.toBe(undefined);
    };
    await expect(read()).rejects.toMatchObject({ code: 'engine_unavailable' });
    beforeStatement = async () => {};
  });
});
