import type { Reading, Sample } from '../../evaluator/ports.ts';
import type { AggregateName } from '../../query/chart-query.ts';
import type { ChartDefinition } from './chart-definition.ts';
import type { ChartTable } from './chart-table.ts';
import { queryFingerprint } from './query-fingerprint.ts';

type Samples = Extract<Reading, { kind: 'samples' }>;

/** decisions A6: silence counts as zero for these. */
const zeroWhenMissing: ReadonlySet<AggregateName> = new Set(['count', 'count_distinct', 'sum']);

/** The last series' value of each group, or the ratio (contract: alerts, value); one list per bucket that has any. */
export function samplesByBucket(table: ChartTable, { groupBy }: ChartDefinition): Map<number, Sample[]> {
  const values = table.ratio ?? table.series.at(-1) ?? [];
  const groups = table.groups.map((texts) => groupBy.map((key, i) => ({ key, value: texts[i] ?? '' })));
  const buckets = new Map<number, Sample[]>();
  values.forEach((value, row) => {
    if (value === undefined) return;
    const bucketMs = table.bucketsMs[row] ?? 0;
    const sample = { group: groups[table.groupOf[row] ?? 0] ?? [], value };
    const samples = buckets.get(bucketMs);
    if (samples) samples.push(sample);
    else buckets.set(bucketMs, [sample]);
  });
  return buckets;
}

/** The reading that these samples are, of a window of the chart. */
export function readingOf(samples: readonly Sample[], truncated: boolean, definition: ChartDefinition): Samples {
  const { series, groupBy, asRatio } = definition;
  const last = series.at(-1)?.aggregate;
  return {
    kind: 'samples',
    samples,
    missingIsZero: !asRatio && last !== undefined && zeroWhenMissing.has(last),
    grouped: groupBy.length > 0,
    ...(truncated && { truncated: true }),
    fingerprint: queryFingerprint(definition),
  };
}
