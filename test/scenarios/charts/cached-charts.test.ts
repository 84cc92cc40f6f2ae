import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TileAnswer } from '../../../src/contract/tile-query.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { randomIds } from '../../../src/kernel/ids.ts';
import { samplesByBucket } from '../../../src/resources/alerts/reading/tile-samples.ts';
import { ChartReader } from '../../../src/resources/charts/answer/chart-reader.ts';
import { UnseenAttributes } from '../../../src/resources/charts/reading/unseen-attributes.ts';
import type { RunOptions } from '../../../src/telemetry/ports.ts';
import { TrackingInserter } from '../../../src/telemetry/tracking-inserter.ts';
import { nativeBlock } from '../../support/native-block.ts';
import { ChartApi, minuteMs, otherTenant, t0, tenant } from './chart-api.ts';
import { startStore } from './telemetry-rows.ts';

const retention = { logs: 30, traces: 30, metrics: 30 };
let watched: TrackingInserter;
/** Remembers. */
let cached: ChartApi;
/** Reads everything each time. */
let plain: ChartApi;
/** Remembers, with room for hardly anything. */
let narrow: ChartApi;
let logs: string;
let statements = 0;

beforeAll(async () => {
  const engine = await startStore();
  watched = new TrackingInserter(engine.inserter, retention, systemClock);
  const runner = {
    run: (...args: [Parameters<typeof engine.queryRunner.run>[0], RunOptions]) => {
      statements++;
      return engine.queryRunner.run(...args);
    },
  };
  const store = { runner, schemas: engine.tableSchemas };
  cached = await ChartApi.over({ ...store, writes: watched });
  narrow = await ChartApi.over({ ...store, writes: watched }, { cacheBytesMax: 6_000 });
  plain = await ChartApi.over(store);
  logs = await cached.sourceId('log');
});

interface LogRow {
  second: number;
  service: string;
  amount: number;
}

const secondOf = (row: { second: number }) => t0 + row.second * 1_000;

async function ingest(rows: readonly LogRow[], database = tenant.telemetryDatabase): Promise<void> {
  const block = nativeBlock([
    { name: 'Timestamp', type: 'DateTime64(9)', values: rows.map((row) => BigInt(secondOf(row)) * 1_000_000n) },
    { name: 'ServiceName', type: 'String', values: rows.map(({ service }) => service) },
    { name: 'SeverityText', type: 'String', values: rows.map(({ amount }) => (amount % 2 ? 'error' : 'info')) },
    { name: 'LogAttributes', type: 'Map(String, String)', values: rows.map(({ amount }) => ({ amount: `${amount}` })) },
  ]);
  await watched.insert({ database, table: 'otel_logs', blocks: [block], token: randomIds.uuid() });
}

interface Ask {
  from: number;
  minutes: number;
  granularity: string;
  groupBy: readonly string[];
  aggFn: string;
  where: string;
  seriesLimit: number;
}

const seriesOf = ({ groupBy, aggFn, where }: Ask, sourceId: string) => {
  const first = { sourceId, aggFn, where, groupBy, ...(aggFn !== 'count' && { field: 'LogAttributes.amount' }) };
  return [first, { sourceId, aggFn: 'count', where: '', groupBy }];
};

const bodyOf = (ask: Ask, sourceId: string) => ({
  startTime: t0 + ask.from * 1_000,
  endTime: t0 + ask.from * 1_000 + ask.minutes * minuteMs,
  granularity: ask.granularity,
  seriesLimit: ask.seriesLimit,
  series: seriesOf(ask, sourceId),
});

async function sourceIdOf(api: ChartApi): Promise<string> {
  return api.sourceId('log');
}

async function rowsOf(api: ChartApi, ask: Ask): Promise<{ data: unknown; truncated: boolean; cache: string }> {
  const { data, meta } = await api.chart(bodyOf(ask, await sourceIdOf(api)));
  return { data, truncated: meta.truncated, cache: (meta as unknown as { cache: string }).cache };
}

const services = fc.constantFrom('api', 'web', 'db', 'cron');
const second = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 2_400, max: 3_600 }) },
  fc.integer({ min: 0, max: 3_600 }),
);
const ingesting = fc.record({
  kind: fc.constant('ingest' as const),
  rows: fc.array(fc.record({ second, service: services, amount: fc.integer({ min: 0, max: 9 }) }), {
    minLength: 1,
    maxLength: 12,
  }),
});
const asking = fc.record({
  kind: fc.constant('ask' as const),
  ask: fc.record({
    from: fc.oneof(fc.constantFrom(0, 600, 1_800), fc.integer({ min: 0, max: 3_000 })),
    minutes: fc.constantFrom(10, 30, 47, 60),
    granularity: fc.constantFrom('10s', '1m', '5m', '7m'),
    groupBy: fc.constantFrom([], ['ServiceName'], ['ServiceName', 'SeverityText']),
    aggFn: fc.constantFrom('count', 'sum', 'avg', 'max', 'quantile', 'count_distinct', 'last_value'),
    where: fc.constantFrom('', 'SeverityText:error', 'ServiceName:api'),
    seriesLimit: fc.constantFrom(2, 1_000),
  }),
});
const steps = fc.array(fc.oneof({ weight: 1, arbitrary: ingesting }, { weight: 3, arbitrary: asking }), {
  minLength: 10,
  maxLength: 40,
});

const numberAsk: Ask = {
  from: 0,
  minutes: 60,
  granularity: '1m',
  groupBy: [],
  aggFn: 'count',
  where: '',
  seriesLimit: 1_000,
};

describe('remembered buckets', () => {
  it('any order of writes, late ones too, and requests: the answer is that of reading everything', async () => {
    const uses = new Set<string>();
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        for (const step of all) {
          if (step.kind === 'ingest') await ingest(step.rows);
          else {
            const [a, b, c] = await Promise.all([cached, plain, narrow].map((api) => rowsOf(api, step.ask)));
            uses.add(a?.cache ?? '');
            expect(a).toEqual({ ...b, cache: a?.cache });
            expect(c).toEqual({ ...b, cache: c?.cache });
          }
        }
      }),
      { numRuns: 8, seed: Number(process.env.SEED ?? Date.now() % 1_000_000) },
    );
    // Much of it was remembered, or nothing has been shown.
    expect(uses).toContain('partial');
    expect(narrow.parts.cache.bytes).toBeLessThanOrEqual(6_000);
  });

  it('writes while others read: what is remembered afterwards is true', async () => {
    const writing = Array.from({ length: 30 }, (_, i) =>
      ingest([{ second: (i * 97) % 3_600, service: 'api', amount: i % 10 }]),
    );
    const reading = Array.from({ length: 30 }, (_, i) => rowsOf(cached, { ...numberAsk, from: (i % 3) * 60 }));
    await Promise.all([...writing, ...reading]);
    for (const from of [0, 60, 120]) {
      const [a, b] = await Promise.all([rowsOf(cached, { ...numberAsk, from }), rowsOf(plain, { ...numberAsk, from })]);
      expect(a.data).toEqual(b.data);
    }
  });

  it('the store is not queried while nothing is written; a late row costs only its bucket', async () => {
    const ask = { ...numberAsk, aggFn: 'sum', granularity: '5m' };
    await rowsOf(cached, ask);
    statements = 0;
    expect((await rowsOf(cached, ask)).cache).toBe('hit');
    expect(statements).toBe(0);
    await ingest([{ second: 1_000, service: 'late', amount: 4 }]);
    const after = await cached.chart(bodyOf(ask, logs));
    expect([statements, after.meta]).toMatchObject([1, { cache: 'partial' }]);
    expect(after.data).toEqual((await plain.chart(bodyOf(ask, await sourceIdOf(plain)))).data);
  });

  it('a slid window reads the new end alone', async () => {
    await rowsOf(cached, { ...numberAsk, where: 'ServiceName:web', minutes: 50 });
    statements = 0;
    expect((await rowsOf(cached, { ...numberAsk, where: 'ServiceName:web', from: 60, minutes: 50 })).cache).toBe(
      'partial',
    );
    expect(statements).toBe(1);
  });

  it('another tenant’s writes and requests have no part in it', async () => {
    const theirs = await cached.sourceId('log', otherTenant);
    await rowsOf(cached, numberAsk);
    await ingest([{ second: 60, service: 'foreign', amount: 1 }], otherTenant.telemetryDatabase);
    expect((await rowsOf(cached, numberAsk)).cache).toBe('hit');
    const answer = await cached.post(bodyOf(numberAsk, theirs), 'other');
    expect((answer.json as { meta: object; data: unknown[] }).meta).toMatchObject({ cache: 'miss' });
    expect((answer.json as { data: unknown[] }).data).toHaveLength(1);
  });

  it('a changed source is another question; without an account of writes nothing is remembered', async () => {
    await rowsOf(cached, numberAsk);
    const source = await cached.parts.sources.find(tenant.id, logs);
    if (source?.kind !== 'log') throw new Error('no source');
    await cached.parts.sources.replace(tenant.id, { ...source, tableFilterExpression: "ServiceName = 'api'" });
    const after = await rowsOf(cached, numberAsk);
    await cached.parts.sources.replace(tenant.id, source);
    expect(after.cache).toBe('miss');
    expect(after.data).not.toEqual((await rowsOf(cached, numberAsk)).data);
    expect((await rowsOf(plain, numberAsk)).cache).toBe('off');
  });

  it('windows of an alert use the same cache, also when each limits its groups separately', async () => {
    const rows = Array.from({ length: 300 }, (_, i) => ({ second: (i * 37) % 3_600, service: `s${i % 7}`, amount: 1 }));
    await ingest(rows);
    const read = async (api: ChartApi, from: number, groupsMax: number) => {
      const { readable, runner, cache } = api.parts;
      const range = { startMs: t0 + from * minuteMs, endMs: t0 + (from + 20) * minuteMs };
      const series = [
        { sourceId: await sourceIdOf(api), aggregate: 'count', where: '', whereLanguage: 'lucene' },
      ] as const;
      const whole = { groupBy: ['ServiceName'], conditions: [], asRatio: false, groupsMax, groupsPerBucket: true };
      const definition = { ...whole, range, granularityMs: minuteMs, bucketOriginMs: range.startMs, series };
      const reader = new ChartReader({ sources: readable, runner, unseen: new UnseenAttributes(systemClock), cache });
      const { table, meta } = await reader.readOne(tenant.id, definition, { queryClass: 'background' });
      return { samples: samplesByBucket(table, definition), cut: table.truncatedBuckets, use: meta.cache };
    };
    const uses = [];
    for (const [from, groupsMax] of [
      [0, 100],
      [10, 100],
      // More groups in the range than these, but in no window of it.
      [5, 11],
      [5, 2],
      [5, 11],
    ] as const) {
      const [a, b] = [await read(cached, from, groupsMax), await read(plain, from, groupsMax)];
      expect(a).toEqual({ ...b, use: a.use });
      expect((a.cut?.size ?? 0) > 0).toBe(groupsMax === 2);
      uses.push(a.use);
    }
    expect(uses).toEqual(['miss', 'partial', 'hit', 'off', 'hit']);
  });

  it('tiles use the same memory, and say so', async () => {
    const config = { displayType: 'line', sourceId: logs, select: [{ aggFn: 'count', where: 'ServiceName:db' }] };
    const body = {
      startTime: t0,
      endTime: t0 + 60 * minuteMs,
      granularity: '1m',
      tiles: [{ ref: 'a', tile: { config } }],
    };
    const ask = async () =>
      ((await cached.send('POST', '/charts/tiles', { body })).json as { data: TileAnswer[] }).data[0]?.meta;
    expect((await ask())?.cache).toBe('miss');
    expect(await ask()).toMatchObject({ cache: 'hit', rowsRead: 0 });
  });
});
