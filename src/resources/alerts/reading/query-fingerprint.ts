import { createHash } from 'node:crypto';
import type { ChartDefinition, SeriesDefinition, SourceCondition } from '../../charts/request/chart-definition.ts';

type Fingerprinted = Pick<ChartDefinition, 'series' | 'groupBy' | 'asRatio' | 'formulas' | 'hasTimeAxis'> & {
  conditions?: readonly SourceCondition[];
};

/**
 * A short text that changes when the query does and with nothing else: name, layout and colours have no part in it, nor
 * has the form in which the tile was written (decisions A3; U-32). 32 hex characters.
 */
export function queryFingerprint(query: Fingerprinted): string {
  const { series, groupBy, asRatio, formulas = [], conditions = [], hasTimeAxis = true } = query;
  // Listed field by field: the stored text must not depend on the order in which objects were built.
  const meaning: unknown[] = [series.map(meaningOf), groupBy.map((text) => text.trim()), asRatio];
  if (formulas.length > 0) meaning.push(formulas);
  if (conditions.length > 0) meaning.push(conditions.map(({ where, whereLanguage }) => [where.trim(), whereLanguage]));
  // Levels without a time axis are other numbers; everything else is the same with and without one.
  if (!hasTimeAxis && series.some(({ metricKind }) => metricKind !== undefined)) meaning.push('no time axis');
  return createHash('sha256').update(JSON.stringify(meaning)).digest('hex').slice(0, 32);
}

function meaningOf(series: SeriesDefinition) {
  const { sourceId, aggregate, level, field, where, whereLanguage, metricName, metricKind, overChanges } = series;
  const condition = where.trim();
  return [
    sourceId,
    aggregate,
    level ?? null,
    field?.trim() ?? null,
    condition,
    condition === '' ? null : whereLanguage,
    metricName ?? null,
    metricKind ?? null,
    ...(overChanges ? ['changes'] : []),
  ];
}
