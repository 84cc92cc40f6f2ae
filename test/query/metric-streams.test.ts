import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AggregateName, ChartQuery } from '../../src/query/chart-query.ts';
import type { MetricKind, MetricSourceSchema } from '../../src/query/source-schema.ts';
import { openEngine, type TestEngine } from '../support/start-engine.ts';
import { Random } from './brute-force/random.ts';
import {
  randomExponentials,
  randomHistograms,
  randomSummaries,
  randomSums,
  rowOfExponential,
  rowOfHistogram,
  rowOfSum,
  rowOfSummary,
} from './brute-force/random-points.ts';
import { chart, insertRows, makeDatabase, metricSource, minute, type Row, run, T0 } from './telemetry-fixture.ts';

const database = 'otel_stream_tests';
const timeoutMs = 180_000;
let engine: TestEngine;
let source: MetricSourceSchema;

beforeAll(async () => {
  engine = await openEngine();
  await makeDatabase(engine, database);
  source = await metricSource(engine, database);
});

type Kind = Exclude<MetricKind, 'gauge'>;

const tables: Record<Kind, string> = {
  sum: 'otel_metrics_sum',
  histogram: 'otel_metrics_histogram',
  exponentialHistogram: 'otel_metrics_exponential_histogram',
  summary: 'otel_metrics_summary',
};
/** What counts how much was added. */
const counting: Record<Kind, AggregateName> = {
  sum: 'increase',
  histogram: 'count',
  exponentialHistogram: 'count',
  summary: 'count',
};

/** Second, start in seconds, reading: all from T0. */
type Point = [second: number, start: number, reading: number];

function rowOf(kind: Kind, name: string, [second, start, reading]: Point): Row {
  const point = {
    MetricName: name,
    TimeUnix: T0 + second * 1000,
    StartTimeUnix: start === unknown ? 0 : T0 + start * 1000,
  };
  const temporality = { AggregationTemporality: 2 };
  switch (kind) {
    case 'sum':
      return { ...point, ...temporality, Value: reading, IsMonotonic: true };
    case 'histogram':
      return { ...point, ...temporality, Count: reading, Sum: reading, BucketCounts: [reading], ExplicitBounds: [] };
    case 'exponentialHistogram':
      return { ...point, ...temporality, Count: reading, Sum: reading, Scale: 0, ZeroCount: reading };
    case 'summary':
      return { ...point, Count: reading, Sum: reading };
  }
}

const unknown = Number.NEGATIVE_INFINITY;
const long = -100_000;

/** The cases of OpenTelemetry's data model (resets, gaps, overlap, unknown start), and what they add in five minutes. */
const cases: [name: string, points: Point[], added: number][] = [
  [
    'an unbroken sequence',
    [
      [-10, long, 5],
      [10, long, 7],
      [20, long, 12],
    ],
    7,
  ],
  [
    'a new start after the last point, less than before',
    [
      [-10, long, 50],
      [10, long, 60],
      [30, 20, 4],
      [40, 20, 6],
    ],
    16,
  ],
  [
    'a new start after the last point, more than before',
    [
      [-10, long, 50],
      [30, 20, 70],
      [40, 20, 71],
    ],
    71,
  ],
  [
    'a new start at the last point',
    [
      [-10, long, 50],
      [10, long, 60],
      [30, 10, 65],
      [40, 10, 66],
    ],
    76,
  ],
  [
    'a new start long before its first point',
    [
      [-2_000, long, 50],
      [30, -1_900, 4],
      [40, -1_900, 6],
    ],
    6,
  ],
  [
    'a gap inside the range',
    [
      [-10, long, 5],
      [10, long, 7],
      [290, long, 30],
    ],
    25,
  ],
  [
    'a gap longer than the look-back',
    [
      [-3_000, long, 5],
      [10, long, 30],
      [20, long, 31],
    ],
    26,
  ],
  [
    'a gap longer than a day',
    [
      [-86_400, long, 5],
      [10, long, 30],
      [20, long, 31],
    ],
    1,
  ],
  [
    'the readings fall without a new start',
    [
      [-10, long, 50],
      [10, long, 60],
      [20, long, 4],
      [30, long, 9],
    ],
    19,
  ],
  [
    'an unknown start: the first point is where counting starts',
    [
      [10, unknown, 100],
      [20, unknown, 105],
    ],
    5,
  ],
  [
    'a start at the first point is unknown too',
    [
      [10, 10, 100],
      [20, 10, 105],
      [30, 10, 106],
    ],
    6,
  ],
  [
    'a start at each point is none',
    [
      [-10, -10, 100],
      [10, 10, 105],
      [20, 20, 106],
      [30, 30, 4],
    ],
    10,
  ],
  [
    'a short job: its first point counts',
    [
      [10, -20, 40],
      [20, -20, 42],
    ],
    42,
  ],
  [
    'a start ten minutes before its first point is too long ago',
    [
      [10, -590, 40],
      [20, -590, 42],
    ],
    2,
  ],
  [
    'a start less than ten minutes before counts',
    [
      [10, -589, 40],
      [20, -589, 42],
    ],
    42,
  ],
  [
    'two senders side by side',
    [
      [5, -600, 500],
      [10, -60, 40],
      [15, -600, 503],
      [20, -60, 41],
      [25, -600, 506],
      [30, -60, 42],
    ],
    8,
  ],
  [
    'two senders side by side, both known from before',
    [
      [-15, long, 500],
      [-10, -60, 40],
      [15, long, 503],
      [20, -60, 41],
      [25, long, 506],
      [30, -60, 42],
    ],
    8,
  ],
  [
    'two senders side by side, one of which pauses',
    [
      [-1_200, long, 500],
      [-10, -60, 40],
      [20, -60, 41],
      [25, long, 506],
      [30, -60, 42],
    ],
    8,
  ],
  [
    'a late last point of the sender before',
    [
      [-10, long, 50],
      [10, 5, 3],
      [20, long, 52],
      [30, 5, 4],
    ],
    6,
  ],
];

async function added(query: ChartQuery): Promise<number> {
  return sumOf(await run(engine, query, source), 'v0');
}

function sumOf(rows: readonly Row[], key: `v${number}`): number {
  return rows.reduce((sum, row) => sum + Number(row[key] ?? 0), 0);
}

describe.each(Object.keys(tables) as Kind[])('streams of a %s', (kind) => {
  const nameOf = (text: string): string => `${kind}: ${text}`;

  beforeAll(async () => {
    const rows = cases.flatMap(([text, points]) => points.map((point) => rowOf(kind, nameOf(text), point)));
    await insertRows(engine, database, tables[kind], rows);
  });

  it.each(cases)('%s', async (text, _, expected) => {
    const series = { aggregate: counting[kind], metric: { name: nameOf(text), kind } };
    const range = { startMs: T0, endMs: T0 + 5 * minute };
    expect(await added(chart(series, { range, granularityMs: minute }))).toBe(expected);
    expect(await added(chart(series, { range }))).toBe(expected);
  });
});

it.each(Object.keys(tables) as Kind[])('says when senders of a %s cannot be distinguished', async (kind) => {
  const points: Point[] = [
    [-5, long, 500],
    [10, long, 40],
    [15, long, 503],
    [20, long, 41],
    [25, long, 506],
  ];
  const alone: Point[] = [
    [-5, long, 500],
    [10, long, 40],
    [15, long, 41],
    [20, long, 3],
    [25, long, 4],
  ];
  await insertRows(engine, database, tables[kind], [
    ...points.map((point) => rowOf(kind, `${kind} in turns`, point)),
    ...alone.map((point) => rowOf(kind, `${kind} alone`, point)),
  ]);
  const turns = async (name: string) => {
    const series = { aggregate: counting[kind], metric: { name, kind } };
    const rows = await run(engine, chart(series, { range: { startMs: T0, endMs: T0 + 5 * minute } }), source);
    return rows[0]?.took_turns;
  };
  expect(await turns(`${kind} in turns`)).toBe(2);
  expect(await turns(`${kind} alone`)).toBe(0);
});

describe('what adds up adds up, wherever a range begins and however wide buckets are (decisions C7)', () => {
  const random = new Random(20_261_128);
  const additive: [Kind, string, AggregateName[]][] = [
    ['sum', 'total', ['sum', 'increase']],
    ['histogram', 'sizes', ['count', 'sum']],
    ['exponentialHistogram', 'exponential sizes', ['count', 'sum']],
    ['summary', 'summed up', ['count', 'sum']],
  ];

  beforeAll(async () => {
    const world: [string, Row[]][] = [
      ['otel_metrics_sum', randomSums(random, 'total', 'both').map(rowOfSum)],
      ['otel_metrics_histogram', randomHistograms(random, 'sizes', 'both').map(rowOfHistogram)],
      [
        'otel_metrics_exponential_histogram',
        randomExponentials(random, 'exponential sizes', 'both').map(rowOfExponential),
      ],
      ['otel_metrics_summary', randomSummaries(random, 'summed up').map(rowOfSummary)],
    ];
    // In two parts and any order, as late points come.
    for (const [table, rows] of world) {
      const mixed = random.shuffled(rows);
      await insertRows(engine, database, table, mixed.slice(0, mixed.length / 2));
      await insertRows(engine, database, table, mixed.slice(mixed.length / 2));
    }
  }, timeoutMs);

  const instant = fc.oneof(
    fc.integer({ min: -3_600, max: 9_000 }).map((second) => T0 + second * 1000),
    fc.integer({ min: -60, max: 150 }).map((each) => T0 + each * minute),
    fc.integer({ min: T0 - 3_600_000, max: T0 + 9_000_000 }),
  );
  const width = fc.constantFrom(15_000, minute, 7 * minute, 60 * minute, 1_440 * minute, undefined);

  it.each(additive)(
    '%s: [a, c) = [a, b) + [b, c) at any granularity, and a window = its bucket',
    async (kind, name, aggregates) => {
      const metric = { name, kind };
      const question = fc.record({
        edges: fc.uniqueArray(instant, { minLength: 3, maxLength: 3 }),
        widths: fc.tuple(width, width, width),
        grouped: fc.boolean(),
      });
      const series = aggregates.map((aggregate) => ({ aggregate, metric }));
      await fc.assert(
        fc.asyncProperty(question, async ({ edges, widths, grouped }) => {
          const [a = 0, b = 0, c = 0] = edges.toSorted((x, y) => x - y);
          const ask = (startMs: number, endMs: number, granularityMs: number | undefined, bucketOriginMs = 0) =>
            chart(series, {
              range: { startMs, endMs },
              bucketOriginMs,
              ...(granularityMs !== undefined && { granularityMs }),
              groupBy: grouped ? ['Attributes.host'] : [],
            });
          const [whole, before, after] = [
            await run(engine, ask(a, c, widths[0]), source),
            await run(engine, ask(a, b, widths[1]), source),
            await run(engine, ask(b, c, widths[2]), source),
          ];
          for (const key of ['v0', 'v1'] as const) {
            expect(sumOf(before, key) + sumOf(after, key)).toBeCloseTo(sumOf(whole, key), 6);
          }
          // A window of an alert is one bucket that begins with it.
          const [startMs, endMs] = [T0 + 10 * minute, T0 + 15 * minute];
          if (a > startMs) return;
          const window = await run(engine, ask(startMs, endMs, endMs - startMs, startMs), source);
          const rows = await run(engine, ask(a, T0 + 150 * minute, 5 * minute), source);
          const bucket = rows.filter(({ ts }) => ts === startMs);
          expect(sumOf(bucket, 'v0')).toBeCloseTo(sumOf(window, 'v0'), 6);
        }),
        { numRuns: 6 },
      );
    },
    timeoutMs,
  );
});
