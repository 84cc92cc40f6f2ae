import { type ChartRequest, chartLimits } from '../../../contract/chart.ts';
import { AppError } from '../../../contract/errors.ts';
import { instantMsLimits } from '../../../contract/instant-ms.ts';
import type { ChartSeries } from '../../../contract/series.ts';
import { tileQueryLimits } from '../../../contract/tile-query-limits.ts';
import { queryTextLength } from '../../../contract/tile-texts.ts';
import type { TimeRange } from '../../../query/chart-query.ts';
import { aggregateOf, type ChartDefinition, toSeriesDefinition } from './chart-definition.ts';
import { chooseGranularity, placeBuckets } from './granularity.ts';
import { readTimeZone } from './read-time-zone.ts';

/** The definition that a request body means. Throws `query_invalid` with the path and what would be right. */
export function readChartRequest(body: ChartRequest): ChartDefinition {
  const range = readRange(body);
  if (queryTextLength(body.series) > tileQueryLimits.textLength) {
    throw invalid(
      `series: the filters and expressions have more than ${tileQueryLimits.textLength} characters together.`,
    );
  }
  const asRatio = body.seriesReturnType === 'ratio';
  if (asRatio && body.series.length !== 2) {
    throw invalid(`seriesReturnType: a ratio needs exactly two series, not ${body.series.length}.`);
  }
  return {
    range,
    ...placeBuckets(chooseGranularity(body.granularity, range), range, readTimeZone(body.timezone)),
    series: body.series.map((series) => toSeriesDefinition(series, aggregateOf(series.aggFn))),
    groupBy: readGroupBy(body.series),
    conditions: [],
    asRatio,
    groupsMax: body.seriesLimit ?? chartLimits.groups,
  };
}

/** Throws `query_invalid` for anything but a time range in Unix milliseconds. */
export function readRange({ startTime, endTime }: Pick<ChartRequest, 'startTime' | 'endTime'>): TimeRange {
  for (const [name, instant] of Object.entries({ startTime, endTime })) {
    if (instant < instantMsLimits.min || instant > instantMsLimits.max) {
      throw invalid(`${name}: must be Unix time in milliseconds (13 digits).`);
    }
  }
  if (startTime >= endTime) throw invalid('endTime: must be later than startTime.');
  return { startMs: startTime, endMs: endTime };
}

/** decisions C4: all series have the same `groupBy`. */
function readGroupBy(series: readonly ChartSeries[]): readonly string[] {
  const [first, ...others] = series.map(({ groupBy }) => groupBy);
  const different = others.findIndex((groupBy) => JSON.stringify(groupBy) !== JSON.stringify(first));
  if (different >= 0) throw invalid(`series.${different + 1}.groupBy: must be the same as that of series 0.`);
  return first ?? [];
}

function invalid(text: string): AppError {
  return new AppError('query_invalid', { public: text });
}
