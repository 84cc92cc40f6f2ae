import type { SeriesQuery } from '../../../query/chart-query.ts';

/** Equal for series that ask the same of the same rows. */
export function seriesKey({ aggregate, level, field, where, whereLanguage, metric, overChanges }: SeriesQuery): string {
  return JSON.stringify([aggregate, level, field, where.trim(), whereLanguage, metric, overChanges]);
}
