import type { Reading, Sample } from '../../../evaluator/ports.ts';
import { missingValue } from '../../charts/answer/add-formulas.ts';
import { type ChartTable, evaluatedCells } from '../../charts/answer/chart-table.ts';
import type { ChartDefinition } from '../../charts/request/chart-definition.ts';
import { queryFingerprint } from './query-fingerprint.ts';

type Samples = Extract<Reading, { kind: 'samples' }>;

/** The value of each group that an alert evaluates (contract §3.4); one list per bucket that has any. */
export function samplesByBucket(table: ChartTable, { groupBy }: ChartDefinition): Map<number, Sample[]> {
  const values = evaluatedCells(table);
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
  const { series, groupBy, asRatio, formulas = [] } = definition;
  const last = series.at(-1);
  return {
    kind: 'samples',
    samples,
    missingIsZero: !asRatio && formulas.length === 0 && last !== undefined && missingValue(last) === 0,
    grouped: groupBy.length > 0,
    ...(truncated && { truncated: true }),
    fingerprint: queryFingerprint(definition),
  };
}
