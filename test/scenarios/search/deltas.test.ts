import { beforeAll, describe, expect, it } from 'vitest';
import type { AttributeDelta, DeltasMeta } from '../../../src/contract/deltas.ts';
import { TestApi } from '../../../src/http/testing.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { type DeltaLimits, DeltasService } from '../../../src/resources/search/deltas-service.ts';
import { compareEvents } from '../../../src/resources/search/operations/compare-events.ts';
import { beyondChance } from '../../../src/resources/search/present-deltas.ts';
import { Random } from '../../query/brute-force/random.ts';
import { ChartApi, type ChartDeps, limits, minuteMs, otherTenant, t0 } from '../charts/chart-api.ts';
import { insertRows, startStore } from '../charts/telemetry-rows.ts';

/** Another seed makes other events. */
const seed = 20_261_129;
const random = new Random(seed);

interface Log {
  TimestampMs: number;
  ServiceName: string;
  SeverityText: string;
  Body: string;
  LogAttributes: Record<string, string>;
  ResourceAttributes: Record<string, string>;
}

/** Errors come from one version on one host; everything else is random. */
const logs: Log[] = Array.from({ length: 600 }, (_, index) => {
  const isError = random.chance(0.2);
  return {
    TimestampMs: t0 + random.int(0, 3_599_999),
    ServiceName: random.pick(['cart', 'shop', 'it’s "x"']),
    SeverityText: isError ? 'error' : 'info',
    Body: `event ${index}`,
    LogAttributes: {
      'request.id': `r${index}`,
      ...(isError && random.chance(0.9) ? { version: '2.0' } : random.chance(0.7) ? { version: '1.9' } : {}),
      ...(random.chance(0.1) && { stack: 'x'.repeat(300) }),
    },
    ResourceAttributes: { host: isError ? 'h1' : random.pick(['h1', 'h2', 'h3', 'h4']) },
  };
});

let parts: ChartDeps;
let sourceId: string;
let foreignId: string;

beforeAll(async () => {
  const engine = await startStore();
  await insertRows(
    engine.client,
    'otel.otel_logs',
    logs.map((log) => ({ ...log })),
  );
  const charts = await ChartApi.over({ runner: engine.queryRunner, schemas: engine.tableSchemas });
  parts = charts.parts;
  sourceId = await charts.sourceId('log');
  foreignId = await charts.sourceId('log', otherTenant);
});

const hour = { startTime: t0, endTime: t0 + 60 * minuteMs };

async function send(body: object, reading?: DeltaLimits) {
  const deps = { sources: parts.readable, limits, clock: systemClock, ...(reading && { reading }) };
  const api = new TestApi('selfHosted', [compareEvents(new DeltasService(deps))]);
  return api.send('POST', '/search/deltas', { body: { sourceId, ...hour, ...body } });
}

async function compare(body: object, reading?: DeltaLimits): Promise<{ data: AttributeDelta[]; meta: DeltasMeta }> {
  const answer = await send(body, reading);
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.body}`);
  return answer.json as { data: AttributeDelta[]; meta: DeltasMeta };
}

/** The value of an attribute as the answer names it; `null` where an event has none, or one that is too long. */
function shownValue(log: Log, name: string): string | null {
  const [first = '', ...rest] = name.split('.');
  const key = rest.join('.');
  const value = key === '' ? log[first as 'ServiceName'] : log[first as 'LogAttributes'][key];
  return value === undefined || value === '' || value.length > 256 ? null : value;
}

const isError = ({ SeverityText }: Log) => SeverityText === 'error';

describe(`event deltas (seed ${seed})`, () => {
  const inFirstHalf = ({ TimestampMs }: Log) => TimestampMs < t0 + 30 * minuteMs;
  it.each<[string, object, (log: Log) => boolean, (log: Log) => boolean]>([
    ['a filter', { selection: { where: 'SeverityText:error' } }, isError, () => true],
    [
      'a filter within a filter, in the other language',
      { where: 'ServiceName:cart', selection: { where: "SeverityText = 'error'", whereLanguage: 'sql' } },
      isError,
      ({ ServiceName }) => ServiceName === 'cart',
    ],
    [
      'a time and a filter',
      { selection: { endTime: t0 + 30 * minuteMs, where: 'LogAttributes.version:"2.0"' } },
      (log) => inFirstHalf(log) && log.LogAttributes.version === '2.0',
      () => true,
    ],
  ])('%s: shares and counts are those of the events', async (_, body, isSelected, isThere) => {
    const { data, meta } = await compare(body);
    const all = logs.filter(isThere);
    const sides = { selection: all.filter(isSelected), rest: all.filter((log) => !isSelected(log)) };
    expect(meta.selection).toEqual({ events: sides.selection.length, sampled: false });
    expect(meta.rest).toEqual({ events: sides.rest.length, sampled: false });
    expect(data.length).toBeGreaterThan(0);
    for (const { name, values, difference } of data) {
      for (const { value, ...shown } of values) {
        for (const side of ['selection', 'rest'] as const) {
          const count = sides[side].filter((log) => shownValue(log, name) === value).length;
          expect([name, value, shown[side]]).toEqual([name, value, { count, share: count / sides[side].length }]);
        }
      }
      const differences = values.map(({ selection, rest }) => Math.abs(selection.share - rest.share));
      expect(differences).toEqual([...differences].sort((a, b) => b - a));
      expect(difference).toBe(differences[0]);
    }
  });

  it('what differs comes first; what is random, unique or an id is left out', async () => {
    const { data, meta } = await compare({ selection: { where: 'SeverityText:error' } });
    expect(data.map(({ name }) => name)).toEqual(['SeverityText', 'LogAttributes.version', 'ResourceAttributes.host']);
    expect(data.map(({ attribute }) => attribute)[1]).toBe("LogAttributes['version']");
    expect(data[1]?.values.map(({ value }) => value)).toContain(null);
    expect(meta.attributes).toBeGreaterThanOrEqual(5);
  });

  it('a filter that may be NULL selects what it finds, and the rest is the rest', async () => {
    const where = 'toFloat64OrNull(LogAttributes.version) > 1.95';
    const { meta } = await compare({ selection: { where, whereLanguage: 'sql' } });
    const found = logs.filter((log) => log.LogAttributes.version === '2.0').length;
    expect([meta.selection.events, meta.rest.events]).toEqual([found, logs.length - found]);
  });

  it('of many events parts are read, and the answer says so', async () => {
    const { data, meta } = await compare(
      { selection: { where: 'SeverityText:error' } },
      { rowsMax: 200, selectedMin: 5 },
    );
    expect([meta.selection.sampled, meta.rest.sampled]).toEqual([true, true]);
    expect(meta.rest.events).toBeGreaterThan(80);
    expect(meta.rest.events).toBeLessThan(250);
    for (const { values } of data) {
      for (const { selection, rest } of values) {
        expect(selection.share).toBe(selection.count / meta.selection.events);
        expect(rest.share).toBe(rest.count / meta.rest.events);
      }
    }
  });

  it('a rare selection is looked for in more events', async () => {
    const { meta } = await compare({ selection: { where: 'SeverityText:error' } }, { rowsMax: 60, selectedMin: 50 });
    expect(meta.selection).toEqual({ events: logs.filter(isError).length, sampled: false });
    expect(meta.rest.sampled).toBe(true);
  });

  it('nothing is compared with nothing', async () => {
    expect((await compare({ selection: { where: 'SeverityText:fatal' } })).data).toEqual([]);
    expect((await compare({ selection: {} })).data).toEqual([]);
    expect((await compare({ where: 'none', selection: {} })).meta.selection.events).toBe(0);
  });

  it.each([
    [{ selection: { where: '(' } }, /^selection\.where: /],
    [{ where: '(', selection: {} }, /^where: /],
    [{ selection: { startTime: t0 - 1 } }, /^selection\.startTime: must not be before startTime/],
    [{ selection: { endTime: t0 + 61 * minuteMs } }, /^selection\.endTime: must not be after endTime/],
    [{ selection: { startTime: t0 + 5, endTime: t0 + 5 } }, /^selection\.endTime: must be later/],
    [{ selection: { startTime: 'soon' } }, /^selection\.startTime: must be Unix milliseconds/],
  ])('%o is rejected with its place', async (body, message) => {
    const { status, json } = await send(body);
    expect([status, (json as { message: string }).message]).toEqual([400, expect.stringMatching(message)]);
  });

  it('another tenant’s source looks like a missing one (decisions F2)', async () => {
    expect((await send({ sourceId: foreignId, selection: {} })).status).toBe(404);
  });
});

describe('what differs by more than chance', () => {
  const score = (selected: number, selection: number, others: number, rest: number) =>
    beyondChance({ selection: { count: selected, share: 0 }, rest: { count: others, share: 0 } }, { selection, rest });

  it.each([
    ['three of three, where half of the others have it too', score(3, 3, 500, 1000), false],
    ['thirty of thirty, where half of the others have it too', score(30, 30, 500, 1000), true],
    ['a little more', score(55, 100, 500, 1000), false],
    ['a little more of many', score(5500, 10_000, 5000, 10_000), true],
    ['one in each', score(1, 1000, 1, 1000), false],
    ['less', score(0, 1000, 100, 1000), true],
  ])('%s', (_, found, differs) => {
    expect(found > 0).toBe(differs);
  });
});
