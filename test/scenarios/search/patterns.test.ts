import { beforeAll, describe, expect, it } from 'vitest';
import type { EventPattern, PatternsMeta } from '../../../src/contract/patterns.ts';
import { TestApi } from '../../../src/http/testing.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { findPatterns } from '../../../src/resources/search/operations/find-patterns.ts';
import { PatternsService } from '../../../src/resources/search/patterns-service.ts';
import { ChartApi, limits, minuteMs, otherTenant, t0 } from '../charts/chart-api.ts';
import { insertRows, startStore } from '../charts/telemetry-rows.ts';

let api: TestApi;
let logs: string;
let traces: string;
let foreign: string;

beforeAll(async () => {
  const engine = await startStore();
  const log = (index: number, Body: string, ServiceName = 'shop') => ({
    TimestampMs: t0 + index * 1000,
    ServiceName,
    Body,
  });
  await insertRows(engine.client, 'otel.otel_logs', [
    log(-5, 'outside of 1'),
    ...Array.from({ length: 1200 }, (_, index) => log(index, `order ${index} placed`)),
    ...Array.from({ length: 400 }, (_, index) => log(index * 3, `cart of user-${index} is empty`, 'cart')),
    log(7, 'disk full'),
    log(8, `${'ä'.repeat(1500)}`),
  ]);
  await insertRows(engine.client, 'otel.otel_traces', [
    { TimestampMs: t0, SpanName: 'GET /users/17', ServiceName: 'a' },
  ]);
  const charts = await ChartApi.over({ runner: engine.queryRunner, schemas: engine.tableSchemas });
  const { readable } = charts.parts;
  api = new TestApi('selfHosted', [
    findPatterns(new PatternsService({ sources: readable, limits, clock: systemClock })),
  ]);
  [logs, traces] = [await charts.sourceId('log'), await charts.sourceId('trace')];
  foreign = await charts.sourceId('log', otherTenant);
});

const send = (body: object) =>
  api.send('POST', '/search/patterns', {
    body: { sourceId: logs, startTime: t0, endTime: t0 + 60 * minuteMs, ...body },
  });

async function patterns(body: object = {}): Promise<{ data: EventPattern[]; meta: PatternsMeta }> {
  const answer = await send(body);
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.body}`);
  return answer.json as { data: EventPattern[]; meta: PatternsMeta };
}

describe('POST /search/patterns', () => {
  it('counts the events by what they say', async () => {
    const { data, meta } = await patterns();
    expect(data.map(({ pattern, count }) => [pattern, count])).toEqual([
      ['order <*> placed', 1200],
      ['cart of <*> is empty', 400],
      ['disk full', 1],
      ['ä'.repeat(1000), 1],
    ]);
    expect(data[0]?.share).toBe(1200 / 1602);
    expect(data[0]?.example).toMatch(/^order \d+ placed$/);
    expect(meta).toMatchObject({ events: 1602, read: 1602, patterns: 4 });
  });

  it('a pattern leads to its events and no others, in both languages', async () => {
    const { data, meta } = await patterns();
    const withRegex = data.filter(({ regex }) => regex !== null);
    expect(withRegex.map(({ pattern }) => pattern)).toEqual(['order <*> placed', 'cart of <*> is empty', 'disk full']);
    for (const { pattern, count, regex } of withRegex) {
      for (const where of [`${meta.field}:/${regex}/`, `match(${meta.field}, '${regex?.replaceAll('\\', '\\\\')}')`]) {
        const language = where.startsWith('match') ? 'sql' : 'lucene';
        const found = await patterns({ where, whereLanguage: language });
        expect([where, found.meta.events]).toEqual([where, count]);
        expect(found.data.map((each) => each.pattern)).toEqual([pattern]);
      }
    }
  });

  it('looks only at what the filter finds', async () => {
    expect((await patterns({ where: 'ServiceName:cart' })).meta).toMatchObject({ events: 400, read: 400 });
    const sql = { where: "ServiceName = 'cart'", whereLanguage: 'sql' };
    expect((await patterns(sql)).data.map(({ pattern }) => pattern)).toEqual(['cart of <*> is empty']);
  });

  it('reads parts of many events, and says of how many', async () => {
    const { data, meta } = await patterns({ sample: 200 });
    expect(meta.events).toBe(1602);
    expect(meta.read).toBeGreaterThan(100);
    expect(meta.read).toBeLessThanOrEqual(200);
    expect(data.reduce((sum, { count }) => sum + count, 0)).toBe(meta.read);
    expect(data[0]).toMatchObject({ pattern: 'order <*> placed' });
    expect(data[0]?.share).toBe((data[0]?.count ?? 0) / meta.read);
  });

  it('shows the most frequent', async () => {
    const { data, meta } = await patterns({ limit: 1 });
    expect([data.length, meta.patterns]).toEqual([1, 4]);
  });

  it('takes the names of spans, or any text', async () => {
    expect((await patterns({ sourceId: traces })).data[0]?.pattern).toBe('GET /users/<*>');
    expect((await patterns({ field: 'upper(ServiceName)' })).data.map(({ pattern }) => pattern)).toEqual([
      'SHOP',
      'CART',
    ]);
  });

  it('finds nothing in nothing', async () => {
    expect(await patterns({ where: 'nowhere' })).toMatchObject({ data: [], meta: { events: 0, read: 0, patterns: 0 } });
  });

  it.each([
    [{ where: '(' }, /^where: /],
    [{ field: 'nope(' }, /^field: /],
    [{ field: 'Body, ServiceName' }, /^field: must be one column/],
  ])('%o is rejected with its place', async (body, message) => {
    const { status, json } = await send(body);
    expect([status, (json as { message: string }).message]).toEqual([400, expect.stringMatching(message)]);
  });

  it('another tenant’s source looks like a missing one (decisions F2)', async () => {
    expect((await send({ sourceId: foreign })).status).toBe(404);
  });
});
