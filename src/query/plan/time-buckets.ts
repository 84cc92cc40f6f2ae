import type { BucketEdges, ChartQuery } from '../chart-query.ts';
import { columnType } from '../schema/column-type.ts';
import { isWholeSeconds, secondsColumn, secondsEndMs } from '../schema/seconds-column.ts';
import type { EventSourceSchema, TableSchema } from '../source-schema.ts';
import { alias, binary, call, column, constant, integerValue, integerValues, type SqlExpr } from './sql-expr.ts';

/** Unix milliseconds of a time column. */
export function unixMs(table: TableSchema, name: string): SqlExpr {
  if (isInSeconds(table, name))
    return binary(call('toInt64', call('toUnixTimestamp', column(name))), '*', constant(1000));
  return call('toUnixTimestamp64Milli', column(name));
}

/** A whole number that distinguishes all instants of a time column, in their order. */
export function unixTime(table: TableSchema, name: string): SqlExpr {
  return call(isInSeconds(table, name) ? 'toUnixTimestamp' : 'toUnixTimestamp64Nano', column(name));
}

/** Unix nanoseconds of a time column. */
export function nanoseconds(table: TableSchema, name: string): SqlExpr {
  if (!isInSeconds(table, name)) return call('toUnixTimestamp64Nano', column(name));
  return binary(call('toInt64', call('toUnixTimestamp', column(name))), '*', constant(1e9));
}

function isInSeconds(table: TableSchema, name: string): boolean {
  const type = table.columns.get(name) ?? '';
  return columnType(type).base === 'time' && !type.includes('DateTime64');
}

/** What the buckets of a query depend on. */
export type BucketsOfQuery = Pick<ChartQuery, 'range' | 'granularityMs' | 'bucketOriginMs' | 'bucketEdges'>;

/** The start of the bucket of an event, from the coarsest time column that distinguishes the buckets. */
export function eventBucket(query: BucketsOfQuery, source: EventSourceSchema): SqlExpr {
  const { granularityMs = 0, bucketOriginMs } = query;
  const seconds = isWholeSeconds(granularityMs, bucketOriginMs) ? secondsColumn(source.table, source) : undefined;
  return bucketStart(query, unixMs(source.table, seconds ?? source.timestampColumn));
}

/** Buckets as numbers in a row. */
export interface BucketSteps {
  /** Of an event, its bucket's number: small integers, which the engine groups by much faster than by times. */
  readonly step: SqlExpr;
  /** Numbers of the first bucket of the range, and of the one behind the last. */
  readonly first: number;
  readonly end: number;
  /** The start of the bucket with this number, as `eventBucket` gives it. */
  startOf(step: SqlExpr): SqlExpr;
}

/**
 * The buckets of a query whose granularity is in whole seconds; `undefined` for others, for those of different lengths,
 * and for ranges beyond 1970 to 2106.
 */
export function bucketSteps(query: ChartQuery, source: EventSourceSchema): BucketSteps | undefined {
  const { granularityMs, bucketOriginMs, bucketEdges, range } = query;
  if (bucketEdges || granularityMs === undefined || !isWholeSeconds(granularityMs, bucketOriginMs)) return undefined;
  const shiftMs = (granularityMs - (bucketOriginMs % granularityMs)) % granularityMs;
  if (range.startMs < 0 || range.endMs <= range.startMs || range.endMs + shiftMs > secondsEndMs) return undefined;
  const seconds = call('toUnixTimestamp', secondsOf(source));
  const shifted = shiftMs === 0 ? seconds : binary(seconds, '+', constant(shiftMs / 1000));
  const stepOf = (timeMs: number): number => Math.floor((timeMs + shiftMs) / granularityMs);
  return {
    step: call('intDiv', shifted, constant(granularityMs / 1000)),
    first: stepOf(range.startMs),
    end: stepOf(range.endMs - 1) + 1,
    startOf: (step) => {
      const start = binary(call('toInt64', step), '*', constant(granularityMs));
      return shiftMs === 0 ? start : binary(start, '-', constant(shiftMs));
    },
  };
}

function secondsOf(source: EventSourceSchema): SqlExpr {
  const seconds = secondsColumn(source.table, source);
  if (seconds !== undefined) return column(seconds);
  const { timestampColumn, table } = source;
  return isInSeconds(table, timestampColumn) ? column(timestampColumn) : call('toDateTime', column(timestampColumn));
}

/**
 * The start of the bucket in Unix ms: the origin plus a multiple of the granularity (decisions C2), or the edge before.
 * Without a granularity there is one bucket that starts where the range starts.
 */
export function bucketStart(query: BucketsOfQuery, timeMs: SqlExpr): SqlExpr {
  const { granularityMs, bucketOriginMs, bucketEdges, range } = query;
  if (granularityMs === undefined) return integerValue(range.startMs);
  if (bucketEdges) return call('roundDown', timeMs, integerValues(bucketEdges.atMs));
  const width = constant(granularityMs);
  // Shifted up, so that the division never meets a negative number, which it would round the wrong way.
  const shift = (granularityMs - (bucketOriginMs % granularityMs)) % granularityMs;
  if (shift === 0) return binary(call('intDiv', timeMs, width), '*', width);
  const step = call('intDiv', binary(timeMs, '+', constant(shift)), width);
  return binary(binary(step, '*', width), '-', constant(shift));
}

/** Seconds of the bucket that starts at `ts` that lie inside the range; the first and the last bucket may be partial. */
export function bucketSeconds({ granularityMs, bucketEdges, range }: ChartQuery): SqlExpr {
  if (granularityMs === undefined) return constant((range.endMs - range.startMs) / 1000);
  const end = call('least', bucketEnd(granularityMs, bucketEdges), constant(range.endMs));
  const start = call('greatest', alias('ts'), constant(range.startMs));
  return binary(binary(end, '-', start), '/', constant(1000));
}

function bucketEnd(granularityMs: number, edges: BucketEdges | undefined): SqlExpr {
  if (!edges) return binary(alias('ts'), '+', constant(granularityMs));
  const starts = integerValues(edges.atMs.slice(0, -1));
  return call('transform', alias('ts'), starts, integerValues(edges.atMs.slice(1)), alias('ts'));
}
