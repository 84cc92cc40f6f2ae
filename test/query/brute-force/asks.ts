import type { AggregateName } from '../../../src/query/chart-query.ts';
import { minute, T0 } from '../telemetry-fixture.ts';
import type { Field } from './facts.ts';
import { randomFilter } from './filters.ts';
import { type Grouping, groupings, type Kind } from './kinds.ts';
import type { Random } from './random.ts';
import type { Window } from './slow-cells.ts';
import type { Asked, AskedSeries } from './slow-chart.ts';

const languages = ['lucene', 'sql', 'nothing'] as const;
const granularitiesMs = {
  '15s': 15_000,
  '1m': minute,
  '7m': 7 * minute,
  '10m': 10 * minute,
  '1h': 60 * minute,
  '1d': 1_440 * minute,
};
/** contract §4.2. */
const autoMinutes = [0.25, 0.5, 1, 5, 15, 30, 60, 120, 360, 720, 1_440, 2_880, 10_080, 43_200];
const bucketsMost = 1_500;

/**
 * Each aggregate of the kind in two of the three languages (over all groupings, in each), in requests of one to eight
 * series with ranges and options at random.
 */
export function randomAsks(random: Random, kind: Kind, grouping: Grouping): Asked[] {
  const left = groupings.indexOf(grouping);
  const combinations = kind.known.flatMap((aggregate, index) =>
    languages.filter((_, at) => at !== (left + index) % languages.length).map((language) => ({ aggregate, language })),
  );
  const series = random.shuffled(combinations).map(({ aggregate, language }) => ask(random, kind, aggregate, language));
  const asks: Asked[] = [];
  while (series.length > 0) {
    const own = series.splice(0, random.pick([1, 2, 2, 3, 5, 8]));
    asks.push(toAsk(random, own, random.pick(kind.groups[grouping]), grouping));
  }
  return asks;
}

/** Series of several kinds side by side, in groups that all of them know. */
export function randomMixture(random: Random, kinds: readonly Kind[], groupBy: readonly Field[]): Asked {
  const series = Array.from({ length: random.int(2, 4) }, () => {
    const kind = random.pick(kinds);
    return ask(random, kind, random.pick(kind.known), random.pick(languages));
  });
  return toAsk(random, series, groupBy, groupBy.length === 0 ? 'nothing' : 'a column');
}

function ask(random: Random, kind: Kind, aggregate: AggregateName, language: AskedSeries['language']): AskedSeries {
  const { expressions = [] } = kind;
  const fields = aggregate === 'count_distinct' ? kind.distinct : kind.numbers;
  const isExpression = aggregate === 'expression';
  const needsField = aggregate !== 'count' && !isExpression && fields.length > 0;
  const slow = {
    aggregate,
    level: random.pick(kind.levels),
    ...(isExpression && expressions.length > 0 && { expression: random.pick(expressions) }),
    ...(needsField && { field: random.pick(fields) }),
    ...(language !== 'nothing' && { filter: randomFilter(random, kind.filters) }),
    ...(kind.metrics.length > 0 && { metricName: random.pick(kind.metrics) }),
    ...(kind.calculations && random.chance(0.5) && { calculation: random.pick(kind.calculations) }),
    ...(kind.metricType === 'gauge' && random.chance(0.4) && { overChanges: true }),
  };
  return { kind, slow, language };
}

function toAsk(random: Random, own: readonly AskedSeries[], groupBy: readonly Field[], grouping: Grouping): Asked {
  // Often one filter for all: it is then in WHERE, and metric series share a scan.
  const [first] = own;
  const isShared = first !== undefined && own.every(({ kind }) => kind === first.kind) && random.chance(0.5);
  const series = isShared ? own.map((each) => withFilterOf(each, first)) : own;
  const returnType = random.pick([undefined, undefined, 'column', 'ratio'] as const);
  const { granularity, ...window } = randomWindow(random);
  return {
    series,
    window: { ...window, groupBy },
    granularity,
    fill: random.pick([undefined, undefined, 'null', 'zero'] as const),
    returnType: returnType === 'ratio' && series.length !== 2 ? undefined : returnType,
    groupsMax: grouping === 'more groups than the cap' ? random.int(1, 4) : 1_000,
  };
}

function withFilterOf({ kind, slow }: AskedSeries, { slow: { filter }, language }: AskedSeries): AskedSeries {
  const { filter: _, ...rest } = slow;
  return { kind, language, slow: filter ? { ...rest, filter } : rest };
}

/** Half of them are whole minutes, the others arbitrary. */
function randomWindow(random: Random): Omit<Window, 'groupBy'> & { granularity: string | undefined } {
  const edge = (): number => (random.chance(0.5) ? 0 : random.pick([1, 30_000, 59_999, random.int(0, 59_999)]));
  const lengthMinutes = random.pick([0, 1, 10, 47, 60, 120, 300, 1_560]);
  const startMs = T0 + random.int(-40, 170) * minute + edge();
  const endMs = Math.max(startMs + 1, startMs + lengthMinutes * minute + edge());
  const fitting = Object.entries(granularitiesMs).filter(([, ms]) => (endMs - startMs) / ms < bucketsMost);
  if (random.chance(0.25)) {
    const granularityMs = autoMs(endMs - startMs);
    return { startMs, endMs, granularityMs, granularity: random.pick([undefined, 'auto']) };
  }
  const [granularity, granularityMs] = random.pick(fitting);
  return { startMs, endMs, granularityMs, granularity };
}

/** The first step that makes at most about sixty buckets. */
function autoMs(lengthMs: number): number {
  const step = autoMinutes.find((minutes) => minutes * minute >= lengthMs / 60) ?? 43_200;
  return step * minute;
}
