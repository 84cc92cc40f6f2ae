import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AggregateName, ChartQuery } from '../../src/query/chart-query.ts';
import type { MetricKind, MetricSourceSchema } from '../../src/query/source-schema.ts';
import { openEngine, type TestEngine } from '../support/start-engine.ts';
import { chart, insertRows, makeDatabase, metricSource, minute, type Row, run, T0 } from './telemetry-fixture.ts';

const database = 'otel_distribution_tests';
const delta = 1;
const cumulative = 2;
let engine: TestEngine;
let source: MetricSourceSchema;
let lastName = 0;

beforeAll(async () => {
  engine = await openEngine();
  await makeDatabase(engine, database);
  source = await metricSource(engine, database);
});

const fiveMinutes = { range: { startMs: T0, endMs: T0 + 5 * minute } };

async function value(
  kind: MetricKind,
  name: string,
  aggregate: AggregateName,
  level = 0.5,
  rest: Partial<ChartQuery> = fiveMinutes,
): Promise<unknown> {
  const rows = await run(engine, chart({ aggregate, level, metric: { name, kind } }, rest), source);
  expect(rows.length).toBeLessThanOrEqual(1);
  return rows[0]?.n0 === 0 ? undefined : rows[0]?.v0;
}

interface Side {
  offset: number;
  counts: number[];
}
interface Point {
  atMs: number;
  scale: number;
  zeros?: number;
  positive?: Side;
  negative?: Side;
  sum?: number;
}

const nothing: Side = { offset: 0, counts: [] };
const added = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
const observed = ({ zeros = 0, positive = nothing, negative = nothing }: Point): number =>
  zeros + added(positive.counts) + added(negative.counts);

async function insertExponential(points: readonly Point[], row: Row = {}, name = `e${++lastName}`): Promise<string> {
  const rows = points.map((point): Row => {
    const { atMs, scale, zeros = 0, positive = nothing, negative = nothing, sum = 0 } = point;
    return {
      MetricName: name,
      TimeUnix: atMs,
      StartTimeUnix: 0,
      AggregationTemporality: delta,
      Scale: scale,
      ZeroCount: zeros,
      PositiveOffset: positive.offset,
      PositiveBucketCounts: positive.counts,
      NegativeOffset: negative.offset,
      NegativeBucketCounts: negative.counts,
      Count: observed(point),
      Sum: sum,
      ...row,
    };
  });
  await insertRows(engine, database, 'otel_metrics_exponential_histogram', rows);
  return name;
}

const quantile = (name: string, level: number): Promise<unknown> =>
  value('exponentialHistogram', name, 'quantile', level);

describe('exponential histograms: buckets (base^i, base^(i+1)] with base = 2^(2^-scale)', () => {
  it('a quantile lies on the exponential curve inside its bucket, as in PromQL', async () => {
    // (1, 2], (2, 4], (4, 8] hold 4 each.
    const name = await insertExponential([{ atMs: T0, scale: 0, positive: { offset: 0, counts: [4, 4, 4] } }]);
    expect(await quantile(name, 0)).toBe(1);
    expect(await quantile(name, 0.5)).toBeCloseTo(2 * Math.SQRT2, 9);
    expect(await quantile(name, 1)).toBe(8);
  });

  it('negative buckets come first, from the largest magnitude; then zero; then positive ones', async () => {
    const name = await insertExponential([
      {
        atMs: T0,
        scale: 0,
        zeros: 4,
        positive: { offset: 1, counts: [4] },
        negative: { offset: 0, counts: [2, 2] },
      },
    ]);
    expect(await quantile(name, 0)).toBe(-4);
    expect(await quantile(name, 1 / 12)).toBeCloseTo(-2 * Math.SQRT2, 9);
    expect(await quantile(name, 2 / 12)).toBeCloseTo(-2, 9);
    expect(await quantile(name, 0.5)).toBe(0);
    expect(await quantile(name, 10 / 12)).toBeCloseTo(2 * Math.SQRT2, 9);
    expect(await quantile(name, 1)).toBe(4);
  });

  it('differing scales are read at the smaller: index 3 of scale 1 is index 1 of scale 0, index -1 is -1', async () => {
    const name = await insertExponential([
      { atMs: T0, scale: 1, positive: { offset: -1, counts: [1, 0, 0, 0, 1] } },
      { atMs: T0 + 1, scale: 0, positive: { offset: 1, counts: [2] } },
    ]);
    // (0.5, 1] holds 1, (2, 4] holds 3.
    expect(await quantile(name, 0.25)).toBe(1);
    expect(await quantile(name, 1)).toBe(4);
    expect(await quantile(name, 0.625)).toBeCloseTo(2 * Math.SQRT2, 9);
  });

  it('each bucket of a chart and each group keeps its own scale', async () => {
    const fine: Point = { atMs: T0, scale: 3, positive: { offset: 0, counts: [1] } };
    const name = await insertExponential([fine]);
    await insertExponential([{ ...fine, atMs: T0 + minute, scale: -2 }], {}, name);
    const query = chart(
      { aggregate: 'quantile', level: 1, metric: { name, kind: 'exponentialHistogram' } },
      { ...fiveMinutes, granularityMs: minute },
    );
    const rows = await run(engine, query, source);
    expect(rows.map(({ v0 }) => v0)).toEqual([expect.closeTo(2 ** (1 / 8), 9), 16]);
  });

  it('cumulative points count by what they gained, also over a change of scale and offset', async () => {
    const points: Point[] = [
      { atMs: T0 - minute, scale: 1, zeros: 1, sum: 10, positive: { offset: 2, counts: [5, 5] } },
      { atMs: T0, scale: 0, zeros: 3, sum: 18, positive: { offset: 0, counts: [2, 10, 1] } },
    ];
    const name = await insertExponential(points, { AggregationTemporality: cumulative });
    expect(await value('exponentialHistogram', name, 'count')).toBe(5);
    expect(await value('exponentialHistogram', name, 'sum')).toBe(8);
    expect(await value('exponentialHistogram', name, 'avg')).toBe(1.6);
    // Two at zero, two in (1, 2], one in (4, 8].
    expect(await quantile(name, 0.4)).toBe(0);
    expect(await quantile(name, 0.6)).toBeCloseTo(Math.SQRT2, 9);
    expect(await quantile(name, 1)).toBe(8);
  });

  it.each<[string, Point]>([
    ['the count', { atMs: T0, scale: 0, positive: { offset: 0, counts: [4, 4] } }],
    ['a bucket', { atMs: T0, scale: 0, positive: { offset: 0, counts: [4, 40] } }],
    ['a bucket that is gone', { atMs: T0, scale: 0, positive: { offset: 1, counts: [40] } }],
    ['a bucket of another scale', { atMs: T0, scale: 1, positive: { offset: 0, counts: [2, 2, 40] } }],
    ['a negative bucket', { atMs: T0, scale: 0, positive: { offset: 0, counts: [50, 50] }, zeros: 3 }],
  ])('after %s shrinks the point itself counts (U-54)', async (_, point) => {
    const before = {
      atMs: T0 - minute,
      scale: 0,
      zeros: 2,
      positive: { offset: 0, counts: [5, 5] },
      negative: { offset: 3, counts: [1] },
    };
    const name = await insertExponential([before, point], { AggregationTemporality: cumulative });
    expect(await value('exponentialHistogram', name, 'count')).toBe(observed(point));
    expect(await quantile(name, 1)).toBeGreaterThan(0);
  });

  it('the first point of an older series is where counting starts, that of a young one counts (U-55)', async () => {
    const points: Point[] = [{ atMs: T0 + 1, scale: 0, positive: { offset: 0, counts: [7] } }];
    const older = await insertExponential(points, { AggregationTemporality: cumulative });
    expect(await value('exponentialHistogram', older, 'count')).toBe(0);
    expect(await quantile(older, 0.5)).toBeUndefined();
    const young = await insertExponential(points, { AggregationTemporality: cumulative, StartTimeUnix: T0 });
    expect(await value('exponentialHistogram', young, 'count')).toBe(7);
  });

  it('the memory of a query grows with the buckets, not with their square: 20,000 points of 160', async () => {
    const counts = 'arrayMap(x -> toUInt64(intDiv(number, 100) + x), range(160))';
    await engine.client.command(
      `INSERT INTO ${database}.otel_metrics_exponential_histogram (MetricName, TimeUnix, StartTimeUnix,
         AggregationTemporality, Scale, PositiveOffset, PositiveBucketCounts, Count, Sum, Attributes)
       SELECT 'wide', fromUnixTimestamp64Milli(toInt64(${T0} + intDiv(number, 100) * 1500), 'UTC'), toDateTime64(0, 9),
         ${cumulative}, 3, 5, ${counts}, arraySum(${counts}), 1, map('host', toString(number % 100))
       FROM numbers(20000)`,
      { timeoutMs: 30_000 },
    );
    // Each of 199 intervals adds one to each of 160 buckets of 100 hosts.
    expect(await value('exponentialHistogram', 'wide', 'count')).toBe(199 * 160 * 100);
    expect(await quantile('wide', 1)).toBeCloseTo(2 ** (165 / 8), 3);
  });

  it('extreme scales and offsets break nothing', async () => {
    const name = await insertExponential([
      { atMs: T0, scale: 20, positive: { offset: -2_147_483_648, counts: [1] } },
      { atMs: T0 + 1, scale: -2_147_483_648, positive: { offset: -1, counts: [2] } },
      { atMs: T0 + 2, scale: 2_147_483_647, negative: { offset: 2_147_483_647, counts: [1] } },
    ]);
    expect(await value('exponentialHistogram', name, 'count')).toBe(4);
  });
});

/** A slow reading of the same rules: buckets as maps, one by one. */
function referenceOf(series: readonly { points: readonly Point[]; temporality: number }[]) {
  const gains: { scale: number; side: 1 | -1; index: number; count: number }[] = [];
  let [zeros, count] = [0, 0];
  const buckets = (point: Point, scale: number): Map<string, number> => {
    const found = new Map<string, number>();
    for (const [side, { offset, counts }] of [
      ['1', point.positive ?? nothing],
      ['-1', point.negative ?? nothing],
    ] as const) {
      for (const [place, each] of counts.entries()) {
        const key = `${side} ${Math.floor((offset + place) / 2 ** (point.scale - scale))}`;
        found.set(key, (found.get(key) ?? 0) + each);
      }
    }
    return found;
  };
  for (const { points, temporality } of series) {
    for (const [place, point] of points.entries()) {
      if (point.atMs < T0) continue;
      const before = temporality === cumulative ? points[place - 1] : undefined;
      if (temporality === cumulative && !before) {
        gains.push({ scale: point.scale, side: 1, index: 0, count: 0 });
        continue;
      }
      const scale = before ? Math.min(point.scale, before.scale) : point.scale;
      const [now, then] = [buckets(point, scale), before ? buckets(before, scale) : new Map<string, number>()];
      const isReset =
        before !== undefined &&
        (observed(point) < observed(before) ||
          (point.zeros ?? 0) < (before.zeros ?? 0) ||
          [...then].some(([key, each]) => (now.get(key) ?? 0) < each));
      const own = isReset || !before;
      const atScale = own ? point.scale : scale;
      for (const [key, each] of own ? buckets(point, point.scale) : now) {
        const [side, index] = key.split(' ').map(Number);
        const gained = each - (own ? 0 : (then.get(key) ?? 0));
        gains.push({ scale: atScale, side: side === 1 ? 1 : -1, index: index ?? 0, count: gained });
      }
      gains.push({ scale: atScale, side: 1, index: 0, count: 0 });
      zeros += (point.zeros ?? 0) - (own ? 0 : (before?.zeros ?? 0));
      count += observed(point) - (own || !before ? 0 : observed(before));
    }
  }
  const scale = Math.min(...gains.map((gain) => gain.scale));
  const joined = new Map<number, number>();
  for (const gain of gains) {
    const index = Math.floor(gain.index / 2 ** (gain.scale - scale));
    // Values in order: negative sides mirrored below, zero between.
    const order = gain.side === 1 ? index + 0.5 + 1e6 : -(index + 0.5 + 1e6);
    joined.set(order, (joined.get(order) ?? 0) + gain.count);
  }
  joined.set(0, zeros);
  const ordered = [...joined].filter(([, each]) => each > 0).sort(([a], [b]) => a - b);
  return {
    count,
    quantile(level: number): number | undefined {
      const rank = level * added(ordered.map(([, each]) => each));
      let below = 0;
      for (const [order, each] of ordered) {
        if (below + each < rank) {
          below += each;
          continue;
        }
        if (order === 0) return 0;
        const fraction = (rank - below) / each;
        const index = Math.abs(order) - 0.5 - 1e6;
        const base = 2 ** (2 ** -scale);
        return order > 0 ? base ** (index + fraction) : -(base ** (index + 1 - fraction));
      }
      return undefined;
    },
  };
}

const sideArbitrary = fc.record({
  offset: fc.integer({ min: -6, max: 6 }),
  counts: fc.array(fc.nat(4), { maxLength: 6 }),
});

describe('exponential histograms against a slow reading of the same rules', () => {
  it('count and quantiles of random series, delta and cumulative, with resets and changing scales', async () => {
    const point = fc.record({
      scale: fc.integer({ min: -1, max: 3 }),
      zeros: fc.nat(3),
      positive: sideArbitrary,
      negative: sideArbitrary,
    });
    /** Cumulative points mostly grow: each is the sum of some before it, unless it restarts. */
    const oneSeries = fc.record({
      temporality: fc.constantFrom(delta, cumulative),
      points: fc.array(fc.record({ point, restarts: fc.integer({ min: 0, max: 3 }) }), { minLength: 1, maxLength: 5 }),
    });
    const request = fc.record({
      series: fc.array(oneSeries, { minLength: 1, maxLength: 3 }),
      level: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    await fc.assert(
      fc.asyncProperty(request, async ({ series, level }) => {
        const name = `random${++lastName}`;
        const all = series.map(({ temporality, points }) => {
          const grown: Point[] = [];
          for (const [place, { point: each, restarts }] of points.entries()) {
            const atMs = T0 - minute + place * 40_000;
            const before = grown.at(-1);
            const keeps = temporality === cumulative && restarts > 0 && before !== undefined;
            grown.push({ atMs, ...(keeps ? joinedPoint(before, each) : each) });
          }
          return { temporality, points: grown };
        });
        for (const [host, { temporality, points }] of all.entries()) {
          await insertExponential(
            points,
            { AggregationTemporality: temporality, Attributes: { host: `${host}` } },
            name,
          );
        }
        const expected = referenceOf(all);
        const inRange = all.some(({ points }) => points.some(({ atMs }) => atMs >= T0));
        expect(await value('exponentialHistogram', name, 'count')).toBe(inRange ? expected.count : undefined);
        const wanted = expected.quantile(level);
        const got = await quantile(name, level);
        if (wanted === undefined) expect(got).toBeUndefined();
        else expect(got).toBeCloseTo(wanted, 6);
      }),
      { numRuns: 20 },
    );
  });
});

/** Both together at the smaller scale, as a sender does whose range of values grew. */
function joinedPoint(a: Omit<Point, 'atMs'>, b: Omit<Point, 'atMs'>): Omit<Point, 'atMs'> {
  const scale = Math.min(a.scale, b.scale);
  const side = (name: 'positive' | 'negative'): Side => {
    const counts = new Map<number, number>();
    for (const point of [a, b]) {
      const { offset, counts: own } = point[name] ?? nothing;
      for (const [place, each] of own.entries()) {
        const index = Math.floor((offset + place) / 2 ** (point.scale - scale));
        counts.set(index, (counts.get(index) ?? 0) + each);
      }
    }
    const indexes = [...counts.keys()];
    if (indexes.length === 0) return nothing;
    const [first, last] = [Math.min(...indexes), Math.max(...indexes)];
    return {
      offset: first,
      counts: Array.from({ length: last - first + 1 }, (_, place) => counts.get(first + place) ?? 0),
    };
  };
  return {
    scale,
    zeros: (a.zeros ?? 0) + (b.zeros ?? 0),
    positive: side('positive'),
    negative: side('negative'),
  };
}

describe('the quantile of an empty distribution is absent, whatever else is requested', () => {
  const facts = { TimeUnix: T0, StartTimeUnix: 0, AggregationTemporality: delta, Count: 0, Sum: 0 };

  it.each<[MetricKind, string, Row]>([
    ['histogram', 'otel_metrics_histogram', { ...facts, ExplicitBounds: [10], BucketCounts: [0, 0] }],
    ['exponentialHistogram', 'otel_metrics_exponential_histogram', { ...facts, PositiveBucketCounts: [0] }],
    ['summary', 'otel_metrics_summary', { TimeUnix: T0, StartTimeUnix: T0, Count: 1, Sum: 1 }],
  ])('%s', async (kind, table, row) => {
    const name = `nothing${++lastName}`;
    await insertRows(engine, database, table, [{ MetricName: name, ServiceName: 'a', ...row }]);
    const metric = { name, kind };
    const [quantileOf, countOf] = [
      { aggregate: 'quantile' as const, metric },
      { aggregate: 'count' as const, metric },
    ];
    for (const groupBy of [[], ['ServiceName']]) {
      const rest = { ...fiveMinutes, groupBy };
      expect(await run(engine, chart(quantileOf, rest), source)).toEqual([]);
      expect(await run(engine, chart([quantileOf, countOf], rest), source)).toMatchObject([{ n0: 0, n1: 1 }]);
      const gauge = { aggregate: 'max' as const, metric: { name, kind: 'gauge' as const } };
      expect(await run(engine, chart([quantileOf, gauge], rest), source)).toEqual([]);
    }
  });
});

describe('summaries', () => {
  type Recorded = Readonly<Record<string, number>>;
  async function insertSummary(
    points: readonly [atMs: number, count: number, sum: number, recorded?: Recorded][],
    row: Row = {},
    name = `s${++lastName}`,
  ): Promise<string> {
    const rows = points.map(([TimeUnix, Count, Sum, recorded = {}]) => ({
      MetricName: name,
      TimeUnix,
      StartTimeUnix: 0,
      Count,
      Sum,
      'ValueAtQuantiles.Quantile': Object.keys(recorded).map(Number),
      'ValueAtQuantiles.Value': Object.values(recorded),
      ...row,
    }));
    await insertRows(engine, database, 'otel_metrics_summary', rows);
    return name;
  }

  it('avg is what the sum gained by what the count gained; a reset counts the new value', async () => {
    const name = await insertSummary([
      [T0 - minute, 10, 100],
      [T0, 14, 120],
      [T0 + minute, 2, 4],
    ]);
    expect(await value('summary', name, 'count')).toBe(6);
    expect(await value('summary', name, 'sum')).toBe(24);
    expect(await value('summary', name, 'avg')).toBe(4);
  });

  it('hosts are added up before the mean is taken', async () => {
    const host = (name: string) => ({ Attributes: { host: name } });
    const first: [number, number, number][] = [
      [T0 - 1000, 10, 100],
      [T0 + 1000, 11, 190],
    ];
    const name = await insertSummary(first, host('a'));
    await insertSummary(
      [
        [T0 - 1000, 50, 500],
        [T0 + 1000, 59, 510],
      ],
      host('b'),
      name,
    );
    // (90 + 10) / (1 + 9), not the mean of 90 and 10 / 9.
    expect(await value('summary', name, 'avg')).toBe(10);
  });

  it('the first point of an older series is where counting starts', async () => {
    const name = await insertSummary([
      [T0, 1_000, 5_000],
      [T0 + minute, 1_003, 5_009],
    ]);
    expect(await value('summary', name, 'avg')).toBe(3);
  });

  it('a quantile is the last recorded value at exactly that level; no other level has a value', async () => {
    const name = await insertSummary([
      [T0, 1, 1, { 0.5: 3, 0.99: 8 }],
      [T0 + minute, 2, 2, { 0.5: 4, 0.99: 9 }],
      [T0 + 2 * minute, 2, 2, { 0.5: Number.NaN, 0.99: Number.NaN }],
    ]);
    expect(await value('summary', name, 'quantile', 0.99)).toBe(9);
    expect(await value('summary', name, 'quantile', 0.5)).toBe(4);
    expect(await value('summary', name, 'quantile', 0.95)).toBeUndefined();
  });

  it('of several attribute sets the largest, which the quantile of all of them never exceeds', async () => {
    const name = await insertSummary([[T0, 1, 1, { 0.9: 3 }]], { Attributes: { host: 'a' } });
    await insertSummary([[T0, 1, 1, { 0.9: 7 }]], { Attributes: { host: 'b' } }, name);
    await insertSummary([[T0, 1, 1, { 0.5: 50 }]], { Attributes: { host: 'c' } }, name);
    expect(await value('summary', name, 'quantile', 0.9)).toBe(7);
  });

  it('counts of random series are those of a slow reading', async () => {
    const reading = fc.record({ count: fc.nat(20), sum: fc.nat(100) });
    await fc.assert(
      fc.asyncProperty(fc.array(reading, { minLength: 1, maxLength: 6 }), async (readings) => {
        const name = await insertSummary(
          readings.map(({ count, sum }, place) => [T0 - minute + place * 40_000, count, sum]),
        );
        let expected: { count: number; sum: number } | undefined;
        for (const [place, now] of readings.entries()) {
          if (T0 - minute + place * 40_000 < T0) continue;
          const before = readings[place - 1];
          const base = before && now.count >= before.count ? before : { count: 0, sum: 0 };
          expected ??= { count: 0, sum: 0 };
          expected.count += now.count - base.count;
          expected.sum += now.sum - base.sum;
        }
        expect(await value('summary', name, 'count')).toBe(expected?.count);
        expect(await value('summary', name, 'sum')).toBe(expected?.sum);
      }),
      { numRuns: 25 },
    );
  });
});
