import { createHash } from 'node:crypto';
import type { ChartDefinition, SeriesDefinition } from './chart-definition.ts';

/**
 * A short text that changes when the query does and with nothing else: name, layout and colours have no part in it, nor
 * has the form in which the tile was written (decisions A3; U-32). 32 hex characters.
 */
export function queryFingerprint({
  series,
  groupBy,
  asRatio,
}: Pick<ChartDefinition, 'series' | 'groupBy' | 'asRatio'>): string {
  // Listed field by field: the stored text must not depend on the order in which objects were built.
  const meaning = [series.map(meaningOf), groupBy.map((text) => text.trim()), asRatio];
  return createHash('sha256').update(JSON.stringify(meaning)).digest('hex').slice(0, 32);
}

function meaningOf(series: SeriesDefinition) {
  const { sourceId, aggregate, level, field, where, whereLanguage, metricName, metricKind } = series;
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
  ];
}
