import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProgram } from '../support/start-program.ts';
import { FieldWorld, hourMs, logsOf, minuteMs, nano, t0 } from './field-world.ts';
import { exponentialHistogram, gauge, histogram, type Point, sum } from './metric-payloads.ts';

let world: FieldWorld;

beforeAll(async () => {
  world = new FieldWorld(await startProgram({ env: { SIGNALBOX_ROLES: 'api,collector' } }));
});
afterAll(() => world?.program.stop());

type Kind = 'sum' | 'gauge' | 'histogram' | 'exponential histogram';
interface Asked {
  aggFn: string;
  level?: number;
}

/** The series over [from, to) seconds after t0 in buckets of `granularity`: seconds of each bucket to its value. */
async function buckets(metric: { name: string; kind: Kind }, asked: Asked, over: [number, number], granularity = '1h') {
  const rows = await world.chart({
    startTime: t0 + over[0] * 1000,
    endTime: t0 + over[1] * 1000,
    granularity,
    series: [
      {
        sourceId: await world.sourceId('metric'),
        ...{ where: '', groupBy: [], metricName: metric.name, metricDataType: metric.kind },
        ...asked,
      },
    ],
  });
  return new Map<number, number | null>(
    rows.map(({ ts_bucket, 'series_0.data': value }) => [(ts_bucket - t0) / 1000, value]),
  );
}

/** The one value of the five minutes after t0, or of another range. */
async function value(name: string, kind: Kind, asked: Asked, over: [number, number] = [0, 300]) {
  const found = [...(await buckets({ name, kind }, asked, over)).values()];
  expect(found).toHaveLength(1);
  return found[0];
}

const totalOf = (found: Map<number, number | null>) =>
  [...found.values()].reduce<number>((all, one) => all + (one ?? 0), 0);

describe('counters', () => {
  /** A counter that grows by one every ten minutes, read every thirty seconds, exactly on the edges of buckets. */
  const everyTenMinutes: Point<number>[] = Array.from({ length: 241 }, (_, index) => ({
    at: index * 30,
    value: Math.floor((index * 30) / 600),
  }));

  it.each(['30s', '1m', '2m', '5m', '10m', '1h'])(
    'grafana#43720: no increment is lost between buckets of %s, whose edges are those of the scrapes',
    async (granularity) => {
      const name = `edges.${granularity}`;
      await world.send('metrics', sum(name, everyTenMinutes));
      expect(totalOf(await buckets({ name, kind: 'sum' }, { aggFn: 'increase' }, [0, 7200], granularity))).toBe(11);
      expect(totalOf(await buckets({ name, kind: 'sum' }, { aggFn: 'increase' }, [0, 7201], granularity))).toBe(12);
    },
  );

  it('prometheus#3746: the increase of a counter of whole numbers is a whole number, at every range', async () => {
    const points = Array.from({ length: 61 }, (_, index) => ({ at: index * 5, value: Math.floor((index * 5) / 20) }));
    await world.send('metrics', sum('whole', points));
    for (const end of [17, 43, 60, 101, 299]) {
      const grown = Math.floor((Math.ceil(end / 5) * 5 - 5) / 20);
      expect([end, await value('whole', 'sum', { aggFn: 'increase' }, [0, end])]).toEqual([end, grown]);
    }
  });

  it('grafana#92762: a rate in buckets shorter than the pause between reports is the rate, neither nothing nor four times as much', async () => {
    const points = Array.from({ length: 11 }, (_, index) => ({ at: index * 60 + 7, value: index * 60 }));
    await world.send('metrics', sum('sparse', points));
    const rates = await buckets({ name: 'sparse', kind: 'sum' }, { aggFn: 'rate' }, [60, 600], '15s');
    expect(rates.size).toBeGreaterThan(0);
    expect(new Set([...rates.values()].filter((rate) => rate !== null))).toEqual(new Set([1]));
  });

  it('VictoriaMetrics#286: a counter that has run for long and is seen for the first time is no burst', async () => {
    const [at, big] = [30, 1_300_000_000];
    await world.send(
      'metrics',
      sum('seen.late', [
        { at, value: big },
        { at: 60, value: big + 5 },
      ]),
    );
    expect(await value('seen.late', 'sum', { aggFn: 'sum' })).toBe(5);
  });

  it('VictoriaMetrics#962: of two counters that begin with a value, each is counted from its start', async () => {
    for (const [host, first] of Object.entries({ foo: 7, bar: 3 })) {
      const points = [first, first, first].map((each, index) => ({ at: 30 + index * 15, value: each, began: 20 }));
      await world.send('metrics', sum('born', points, { resource: { host } }));
    }
    expect(await value('born', 'sum', { aggFn: 'sum' })).toBe(10);
  });

  it('VictoriaMetrics#3939: a counter that is forgotten and begins at 1 again has grown again', async () => {
    const lives = [0, 3000, 6000].map((at) => ({ at: at + 60, value: 1, began: at + 50 }));
    await world.send('metrics', sum('forgotten', lives));
    expect(totalOf(await buckets({ name: 'forgotten', kind: 'sum' }, { aggFn: 'sum' }, [0, 7200], '10m'))).toBe(3);
  });

  it('opentelemetry-mapping-go#100: an agent that starts again in the middle of a stream makes no spike', async () => {
    const before = Array.from({ length: 5 }, (_, index) => ({ at: -300 + index * 60, value: 1_000_000 + index }));
    const after = Array.from({ length: 4 }, (_, index) => ({ at: 120 + index * 60, value: 1_000_007 + index }));
    await world.send('metrics', sum('agent', before));
    await world.send('metrics', sum('agent', after));
    expect(await value('agent', 'sum', { aggFn: 'sum' })).toBe(5);
  });

  it('signoz#3240: what a counter counted before and after a restart of its program adds up', async () => {
    const first = [5, 9, 40].map((each, index) => ({ at: index * 60 + 1, value: each, began: 0 }));
    const second = [2, 6].map((each, index) => ({ at: 200 + index * 60, value: each, began: 190 }));
    await world.send('metrics', sum('restarted', [...first, ...second]));
    expect(await value('restarted', 'sum', { aggFn: 'sum' })).toBe(46);
  });

  it('signoz#4629: a single delta point counts', async () => {
    await world.send('metrics', sum('statsd', [{ at: 60, value: 1, began: 0 }], { temporality: 'delta' }));
    expect(await value('statsd', 'sum', { aggFn: 'sum' })).toBe(1);
  });

  it('signoz#10282: an up-down counter is a level, whatever a page calls it', async () => {
    const points = [3, 5, 2].map((each, index) => ({ at: 30 + index * 30, value: each }));
    await world.send('metrics', sum('queue', points, { monotonic: false }));
    expect(await value('queue', 'sum', { aggFn: 'last_value' })).toBe(2);
    const perPoint = await buckets({ name: 'queue', kind: 'sum' }, { aggFn: 'max' }, [0, 300], '30s');
    expect([...perPoint]).toEqual([
      [30, 3],
      [60, 5],
      [90, 2],
    ]);
  });
});

describe('histograms', () => {
  const bounds = [10, 20];

  it('opentelemetry-collector-contrib#48278: after a restart the new counts count, bucket by bucket', async () => {
    const points = [
      { at: -30, value: { counts: [10, 0, 0], sum: 50 } },
      { at: 60, value: { counts: [20, 0, 0], sum: 100 } },
      { at: 120, value: { counts: [0, 2, 1], sum: 60 }, began: 100 },
      { at: 180, value: { counts: [0, 4, 1], sum: 90 }, began: 100 },
    ];
    await world.send('metrics', histogram('resets', bounds, points));
    expect(await value('resets', 'histogram', { aggFn: 'count' })).toBe(15);
    expect(await value('resets', 'histogram', { aggFn: 'sum' })).toBe(140);
    // 12 of 15 are in rank: 10 in the first bucket, 2 of the 4 in the second.
    expect(await value('resets', 'histogram', { aggFn: 'quantile', level: 0.8 })).toBe(15);
  });

  it('hyperdx#2824: producers that differ only in their start are distinguished, and none is read as a restart of another', async () => {
    const producers = [
      { began: -9000, first: 1855, grows: 3 },
      { began: -8000, first: 1834, grows: 5 },
      { began: -7000, first: 300, grows: 7 },
    ];
    const points = producers.flatMap(({ began, first, grows }, index) =>
      [-60, 0, 60, 120].map((at, step) => ({
        ...{ at: at + index * 6, began },
        value: { counts: [first + step * grows, 0, 0], sum: first + step * grows },
      })),
    );
    await world.send('metrics', histogram('replicas', bounds, points));
    expect(await value('replicas', 'histogram', { aggFn: 'count' })).toBe(3 * (3 + 5 + 7));
  });

  it('VictoriaMetrics#9896: a histogram whose sender gives no sum has none, and no mean of 0', async () => {
    const points = [60, 120].map((at) => ({ at, value: { counts: [1, 2, 1] } }));
    await world.send('metrics', histogram('no.sum', bounds, points, { temporality: 'delta' }));
    expect(await value('no.sum', 'histogram', { aggFn: 'count' })).toBe(8);
    expect(await value('no.sum', 'histogram', { aggFn: 'sum' })).toBeNull();
    expect(await value('no.sum', 'histogram', { aggFn: 'avg' })).toBeNull();
  });

  it('prometheus#13020: the highest quantile is the bound of the highest bucket with something in it, not of the last bucket', async () => {
    for (let host = 0; host < 7; host += 1) {
      const counts = [99_999 + host, 3, 0, 0, 0];
      const points = [{ at: 60, value: { counts, sum: 1 } }];
      const of = histogram('tail', [5, 16.8, 22.4, 60_000], points, {
        temporality: 'delta',
        resource: { host: `${host}` },
      });
      await world.send('metrics', of);
    }
    expect(await value('tail', 'histogram', { aggFn: 'quantile', level: 1 })).toBe(16.8);
    expect(await value('tail', 'histogram', { aggFn: 'quantile', level: 0.999_999_9 })).toBeLessThanOrEqual(16.8);
  });

  it('prometheus#4264: empty buckets at either end do not take the quantile away', async () => {
    const counts = [0, 0, 45, 9, 17, 3, 0, 0, 0, 0];
    const bucketBounds = [0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 1, 1.5, 3];
    await world.send(
      'metrics',
      histogram('empty.ends', bucketBounds, [{ at: 60, value: { counts, sum: 20 } }], { temporality: 'delta' }),
    );
    const p99 = await value('empty.ends', 'histogram', { aggFn: 'quantile', level: 0.99 });
    // Rank 73.26 of 74: 2.26 of the three between 0.5 and 0.8.
    expect(p99).toBeCloseTo(0.5 + 0.3 * (2.26 / 3), 9);
  });

  it('hyperdx#2716: a number tile of a histogram is one value of its whole time', async () => {
    const points = [
      { at: -30, value: { counts: [100, 0, 0], sum: 500 } },
      { at: 30, value: { counts: [101, 1, 0], sum: 520 } },
      { at: 90, value: { counts: [101, 5, 0], sum: 580 } },
    ];
    await world.send('metrics', histogram('number.tile', bounds, points));
    const tile = async (aggFn: string) => {
      const { json } = await world.program.call('POST', '/api/v2/charts/tiles', {
        ...{ startTime: t0, endTime: t0 + 5 * minuteMs },
        tiles: [{ ref: 'n', tile: { series: [{ ...(await numberOf('number.tile')), aggFn }] } }],
      });
      return (json as { data: { rows: unknown[][] }[] }).data[0]?.rows;
    };
    expect(await tile('count')).toEqual([[6]]);
    expect(await tile('avg')).toEqual([[80 / 6]]);
  });

  async function numberOf(metricName: string) {
    const sourceId = await world.sourceId('metric');
    return { type: 'number', sourceId, where: '', groupBy: [], metricName, metricDataType: 'histogram' };
  }
});

describe('exponential histograms', () => {
  const read = (name: string, level: number) => value(name, 'exponential histogram', { aggFn: 'quantile', level });

  it('uptrace#592: a few observations at a very fine scale give a quantile near them, not 10^38', async () => {
    const indexOf = (observed: number, scale: number) => Math.ceil(Math.log2(observed) * 2 ** scale) - 1;
    const fine = {
      at: 60,
      attributes: { host: 'a' },
      value: { scale: 20, positive: { offset: indexOf(2.5, 20), counts: [1] }, sum: 2.5 },
    };
    await world.send('metrics', exponentialHistogram('one', [fine]));
    expect(await read('one', 0.95)).toBeCloseTo(2.5, 4);
    const coarse = {
      at: 60,
      attributes: { host: 'b' },
      value: { scale: 3, positive: { offset: indexOf(30, 3), counts: [1] }, sum: 30 },
    };
    await world.send('metrics', exponentialHistogram('two', [fine, coarse]));
    const p99 = Number(await read('two', 0.99));
    expect(p99).toBeGreaterThan(2 ** (39 / 8));
    expect(p99).toBeLessThanOrEqual(32);
  });

  it('openobserve#14634: negative, zero and positive buckets are in this order', async () => {
    const observed = {
      scale: 2,
      zero: 1,
      positive: { offset: 0, counts: [2, 3] },
      negative: { offset: 0, counts: [1] },
      sum: 21,
    };
    await world.send('metrics', exponentialHistogram('signs', [{ at: 60, value: observed }]));
    const base = 2 ** 0.25;
    const lowest = Number(await read('signs', 0.05));
    expect(lowest).toBeGreaterThanOrEqual(-base);
    expect(lowest).toBeLessThanOrEqual(-1);
    expect(await read('signs', 0.2)).toBeCloseTo(0, 9);
    const median = Number(await read('signs', 0.5));
    expect(median).toBeGreaterThan(1);
    expect(median).toBeLessThanOrEqual(base);
    expect(Number(await read('signs', 1))).toBeCloseTo(base ** 2, 9);
    expect(await value('signs', 'exponential histogram', { aggFn: 'count' })).toBe(7);
  });
});

describe('series, groups and time', () => {
  it('perses#2834: what was no number last does not hide the last number', async () => {
    await world.send('metrics', gauge('nan.last', [{ at: 30, value: 4 }]));
    const { status } = await world.export(
      'metrics',
      JSON.stringify(gauge('nan.last', [{ at: 60, value: 0 }])).replace('"asDouble":0', '"asDouble":"NaN"'),
    );
    expect(status).toBe(200);
    expect(await value('nan.last', 'gauge', { aggFn: 'last_value' })).toBe(4);
  });

  it('hyperdx#2449: the groups that are left out are left out of every bucket, and the answer says so', async () => {
    const counts: [service: string, perHour: [number, number]][] = [
      ['top-a', [100, 0]],
      ['top-b', [60, 60]],
      ['top-c', [50, 45]],
    ];
    for (const [service, perHour] of counts)
      for (const [hour, count] of perHour.entries()) {
        const record = { timeUnixNano: nano(hour * 3600 + 5), body: { stringValue: 'top' } };
        if (count > 0) await world.send('logs', logsOf(service, Array(count).fill(record)));
      }
    const { data, meta } = await world.chartBody({
      ...{ startTime: t0, endTime: t0 + 2 * hourMs, granularity: '1h', seriesLimit: 2 },
      series: [
        { sourceId: await world.sourceId('log'), aggFn: 'count', where: 'ServiceName:top-*', groupBy: ['ServiceName'] },
      ],
    });
    const shown = data.map(({ ts_bucket, group, 'series_0.data': count }: Record<string, unknown>) => [
      (Number(ts_bucket) - t0) / hourMs,
      String(group),
      count,
    ]);
    expect(shown).toEqual([
      [0, 'top-a', 100],
      [0, 'top-b', 60],
      [1, 'top-b', 60],
    ]);
    expect(meta).toMatchObject({ truncated: true, groupsTotal: 3 });
  });
});
