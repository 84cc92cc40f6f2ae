import type { SourceIds } from '../program.ts';
import type { ChartRequest } from './chart-requests.ts';

/** The body that asks `POST /api/v2/charts/series` for a chart up to `endMs`. */
export function chartBody({ hours, granularity, source, series }: ChartRequest, sources: SourceIds, endMs: number) {
  return {
    startTime: endMs - hours * 3_600_000,
    endTime: endMs,
    granularity,
    series: series.map((one) => ({ ...one, sourceId: sources.get(source) })),
  };
}
