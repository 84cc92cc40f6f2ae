import { beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/kernel/clock.ts';
import type { AggregateName } from '../../src/query/chart-query.ts';
import { toReading } from '../../src/resources/alerts/reading/tile-reading.ts';
import { ChartReader } from '../../src/resources/charts/answer/chart-reader.ts';
import { UnseenAttributes } from '../../src/resources/charts/reading/unseen-attributes.ts';
import { tileToChart, windowOfTile } from '../../src/resources/charts/request/tile-to-chart.ts';
import type { ChartApi } from '../scenarios/charts/chart-api.ts';
import { tenant } from '../scenarios/charts/chart-api.ts';
import { columnField } from './brute-force/facts.ts';
import type { Kind } from './brute-force/kinds.ts';
import { Random } from './brute-force/random.ts';
import type { SlowCell, Window } from './brute-force/slow-cells.ts';
import { randomMetricWorld } from './brute-force/world.ts';
import { minute, T0 } from './telemetry-fixture.ts';

const seed = 20_261_129;
const timeoutMs = 240_000;
const displayTypes = ['line', 'stacked_bar', 'stacked_line', 'number', 'table', 'pie', 'bar'] as const;
type DisplayType = (typeof displayTypes)[number];
const kindNames = [
  'gauges',
  'changes of gauges',
  'delta sums',
  'cumulative sums',
  'up-down counters',
  'delta histograms',
  'cumulative histograms',
  'delta exponential histograms',
  'cumulative exponential histograms',
  'summaries',
];
const granularityMs = 10 * minute;
const range = { startMs: T0 + 3 * minute + 1, endMs: T0 + 57 * minute };
let api: ChartApi;
let kinds: Kind[];

beforeAll(async () => {
  const world = await randomMetricWorld(new Random(seed));
  const gauges = world.kinds.find(({ name }) => name === 'gauges');
  if (!gauges) throw new Error('there are no gauges');
  api = world.api;
  kinds = [...world.kinds, { ...gauges, name: 'changes of gauges' }];
}, timeoutMs);

const isOverTime = (displayType: DisplayType) =>
  displayType !== 'number' && !['table', 'pie', 'bar'].includes(displayType);
const isOverChanges = ({ name }: Kind) => name === 'changes of gauges';
const isGrouped = (displayType: DisplayType) => displayType !== 'number';

function tileOf(kind: Kind, displayType: DisplayType, aggregate: AggregateName) {
  return {
    name: aggregate,
    x: 0,
    y: 0,
    w: 8,
    h: 8,
    config: {
      displayType,
      sourceId: kind.sourceId,
      select: [
        {
          aggFn: aggregate,
          where: '',
          ...(aggregate === 'quantile' && { level: 0.9 }),
          metricName: kind.metrics[0],
          metricType: kind.metricType,
          ...(isOverChanges(kind) && { periodAggFn: 'delta' }),
        },
      ],
      ...(isGrouped(displayType) && { groupBy: 'ServiceName' }),
      ...(isOverTime(displayType) && { fillNulls: false }),
    },
  };
}

/** What the slow reading finds in each bucket and group. */
function slowCells(kind: Kind, aggregate: AggregateName, window: Partial<Window>): SlowCell[] {
  const metricName = kind.metrics[0] ?? '';
  const series = { aggregate, level: 0.9, metricName, overChanges: isOverChanges(kind) };
  return kind.slow.read(series, { ...range, granularityMs, groupBy: [], ...window });
}

const whole = { granularityMs: range.endMs - range.startMs, originMs: range.startMs, hasTimeAxis: false };

function expectedOf(kind: Kind, displayType: DisplayType, aggregate: AggregateName): Map<string, number | null> {
  const groupBy = isGrouped(displayType) ? [columnField('ServiceName')] : [];
  const cells = slowCells(kind, aggregate, { groupBy, ...(isOverTime(displayType) ? {} : whole) });
  return new Map(cells.map(({ bucketMs, group, value }) => [keyOf(displayType, bucketMs, group), value]));
}

function keyOf(displayType: DisplayType, bucketMs: number, group: readonly string[]): string {
  return isOverTime(displayType) ? `${bucketMs} ${group}` : `${group}`;
}

interface Answer {
  ref: string;
  error?: unknown;
  series?: { group: string[]; points: [number, number | null][] }[];
  rows?: (string | number | null)[][];
}

function shownOf(displayType: DisplayType, { series = [], rows = [] }: Answer): Map<string, number | null> {
  if (isOverTime(displayType)) {
    return new Map(
      series.flatMap(({ group, points }) => points.map(([at, value]) => [keyOf(displayType, at, group), value])),
    );
  }
  return new Map(rows.map((row) => [row.slice(0, -1).join(), row.at(-1) as number | null]));
}

async function answersOf(kind: Kind, displayType: DisplayType): Promise<Answer[]> {
  const tiles = kind.known.map((aggregate) => ({ ref: aggregate, tile: tileOf(kind, displayType, aggregate) }));
  const body = { startTime: range.startMs, endTime: range.endMs, granularity: '10m', tiles };
  const answer = await api.send('POST', '/charts/tiles', { body, key: 'admin' });
  expect(answer.status).toBe(200);
  return (answer.json as { data: Answer[] }).data;
}

describe(`display type × aggregate × kind of metric equal the slow reading (seed ${seed})`, () => {
  const product = kindNames.flatMap((name) => displayTypes.map((displayType) => ({ name, displayType })));

  it.each(product)(
    '$name as $displayType: every aggregate',
    async ({ name, displayType }) => {
      const kind = kinds.find((each) => each.name === name);
      if (!kind) throw new Error(`there is no kind ${name}`);
      for (const answer of await answersOf(kind, displayType)) {
        expect([answer.ref, answer.error]).toEqual([answer.ref, undefined]);
        const expected = expectedOf(kind, displayType, answer.ref as AggregateName);
        const shown = shownOf(displayType, answer);
        // A number tile has a value even without rows.
        if (displayType === 'number' && expected.size === 0) continue;
        expect([answer.ref, [...shown.keys()].sort()]).toEqual([answer.ref, [...expected.keys()].sort()]);
        for (const [key, value] of expected) {
          const near = value === null ? null : expect.closeTo(value, 6);
          expect([answer.ref, key, shown.get(key)]).toEqual([answer.ref, key, near]);
        }
      }
    },
    timeoutMs,
  );

  it.each(displayTypes)(
    'an alert on a tile of type %s evaluates what the tile shows of its window',
    async (displayType) => {
      const reader = new ChartReader({
        sources: api.parts.readable,
        runner: api.parts.runner,
        unseen: new UnseenAttributes(systemClock),
      });
      const evaluated = ['gauges', 'changes of gauges', 'up-down counters'];
      for (const kind of kinds.filter(({ name }) => evaluated.includes(name))) {
        for (const aggregate of kind.known) {
          const found = tileToChart(tileOf(kind, displayType, aggregate) as Parameters<typeof tileToChart>[0]);
          if (found.kind !== 'chart') throw new Error(found.reason);
          const window = { startMs: T0 + 20 * minute, endMs: T0 + 30 * minute };
          const definition = windowOfTile(found.chart, window);
          const { table } = await reader.readOne(tenant.id, definition, { queryClass: 'alerts' });
          const reading = toReading(table, definition);
          if (reading.kind !== 'samples') throw new Error(reading.message);
          const groupBy = isGrouped(displayType) ? [columnField('ServiceName')] : [];
          const cells = slowCells(kind, aggregate, { ...window, groupBy, hasTimeAxis: isOverTime(displayType) });
          const expected = new Map(cells.map(({ group, value }) => [group.join(), value]));
          expect(reading.samples).toHaveLength(expected.size);
          for (const { group, value } of reading.samples) {
            const wanted = expected.get(group.map((part) => part.value).join());
            expect([aggregate, value]).toEqual([aggregate, expect.closeTo(wanted ?? Number.NaN, 6)]);
          }
        }
      }
    },
    timeoutMs,
  );
});
