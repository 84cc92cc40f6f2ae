import { chartLimits } from '../../../contract/chart.ts';
import { AppError } from '../../../contract/errors.ts';
import { dayEdgesMs } from '../../../contract/time-zone.ts';
import { formatDuration, parseDuration } from '../../../kernel/duration.ts';
import type { BucketEdges, TimeRange } from '../../../query/chart-query.ts';
import { countBuckets } from './buckets.ts';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** What `auto` chooses from (contract §4.2). */
const autoStepsMs = [
  15 * secondMs,
  30 * secondMs,
  minuteMs,
  5 * minuteMs,
  15 * minuteMs,
  30 * minuteMs,
  hourMs,
  2 * hourMs,
  6 * hourMs,
  12 * hourMs,
  dayMs,
  2 * dayMs,
  7 * dayMs,
  30 * dayMs,
];
const autoBuckets = 60;

/** Senders are late by a little; buckets as wide as the interval that was meant hold a point each. */
const samplingTolerance = 1.1;

/** A change over a bucket is seen from its first point to its last: with few of them, most of it is not. */
const pointsOfChange = 4;

/** How many sampling intervals a bucket of the series should hold. */
export function intervalsPerBucket(series: readonly { overChanges?: true }[]): number {
  return series.some(({ overChanges }) => overChanges) ? pointsOfChange : 1;
}

export function isAuto(text: string | undefined): boolean {
  return text === undefined || text === 'auto';
}

/**
 * The bucket width in milliseconds that a request means (decisions C3); what is chosen for it is never narrower than
 * `samplingMs`, the interval between two points of its metrics, or several of these. Throws `query_invalid` when the text is no
 * duration or makes too many buckets, and says then which width would fit.
 */
export function chooseGranularity(text: string | undefined, range: TimeRange, samplingMs = 0): number {
  if (text === undefined || text === 'auto') return autoGranularity(range, samplingMs);
  const granularityMs = parseDuration(text);
  if (granularityMs === undefined) {
    throw new AppError('query_invalid', {
      public: `granularity: must be auto or a positive whole number followed by s, m, h or d, such as 30s or 1h, not ${JSON.stringify(text)}.`,
    });
  }
  const buckets = countEven(range, granularityMs);
  if (buckets > chartLimits.buckets) {
    throw new AppError('query_invalid', {
      public: `granularity: ${text} makes ${buckets} buckets over this range; at most ${chartLimits.buckets} are allowed, for example with ${formatDuration(fittingGranularity(range))}.`,
    });
  }
  return granularityMs;
}

/** What of a chart says where its buckets are. */
export interface BucketPlaces {
  granularityMs: number;
  bucketOriginMs: number;
  bucketEdges?: BucketEdges;
}

/**
 * Where buckets of this width are: at multiples of the width since 1970 (decisions C2); those of whole days, at the
 * midnights of the time zone. They are of different lengths only if its clocks are changed within the range.
 */
export function placeBuckets(granularityMs: number, range: TimeRange, timezone = 'UTC'): BucketPlaces {
  if (timezone === 'UTC' || granularityMs % dayMs !== 0) return { granularityMs, bucketOriginMs: 0 };
  const days = granularityMs / dayMs;
  const atMs = dayEdgesMs(timezone, days, range);
  const isEven = atMs.every((edgeMs, index) => index === 0 || edgeMs - (atMs[index - 1] ?? 0) === granularityMs);
  if (isEven) return { granularityMs, bucketOriginMs: atMs[0] ?? 0 };
  return { granularityMs, bucketOriginMs: 0, bucketEdges: { key: `${days}d ${timezone}`, atMs } };
}

function countEven(range: TimeRange, granularityMs: number): number {
  return countBuckets({ range, granularityMs, bucketOriginMs: 0 });
}

/** The bucket width, or the smallest multiple of it that makes no more buckets than `bucketsMax`. */
export function widenGranularity(granularityMs: number, range: TimeRange, bucketsMax: number): number {
  const widths = Math.ceil(countEven(range, granularityMs) / bucketsMax);
  const widened = granularityMs * widths;
  // Buckets begin at multiples of their width, so the wider ones may need one more.
  return countEven(range, widened) > bucketsMax ? granularityMs * (widths + 1) : widened;
}

/** The smallest step that makes about sixty buckets. */
function autoGranularity({ startMs, endMs }: TimeRange, samplingMs: number): number {
  const wantedMs = Math.max((endMs - startMs) / autoBuckets, samplingMs / samplingTolerance);
  return autoStepsMs.find((stepMs) => stepMs >= wantedMs) ?? 30 * dayMs;
}

function fittingGranularity(range: TimeRange): number {
  const steps = [secondMs, 5 * secondMs, ...autoStepsMs];
  const fits = (stepMs: number) => countEven(range, stepMs) <= chartLimits.buckets;
  return steps.find(fits) ?? 30 * dayMs;
}
