import type { TimeRange } from '../../query/chart-query.ts';
import type { SearchQuery } from '../../query/search-query.ts';
import type { QueryResult } from '../../telemetry/ports.ts';
import { withCostOf } from './cost-of-both.ts';
import type { PageReading } from './page-reading.ts';

/** Ranges up to this are read as a whole: reading them costs hardly more than asking twice. */
const wholeMs = 3 * 3_600_000;
/** The part of a longer range that is read first. */
const firstShare = 1 / 64;
/** How much more than the events found so far call for is read next. */
const margin = 2;
/** A part above this is not worth reading before the whole. */
const largestShare = 1 / 4;

type Reading = Pick<PageReading, 'order' | 'timestampColumn' | 'compilePage' | 'run'>;

/**
 * What `compilePage` finds for the query. Tables are sorted by service before time, so that the newest events of a
 * range lie all over it. Where time orders the events first, the nearest part of the range is therefore read first, and
 * more of it only if that part holds too few.
 */
export async function readNearest(query: SearchQuery, reading: Reading): Promise<QueryResult> {
  const { run, compilePage } = reading;
  const isFull = ({ rows }: QueryResult) => rows >= (query.offset > 0 ? query.limit + 2 : query.limit + 1);
  let spent: QueryResult | undefined;
  let share: number | undefined = isByTime(reading, query.range) ? firstShare : undefined;
  while (share !== undefined) {
    const range = nearestPart(query.range, share, reading);
    const found = withCost(spent, await run(compilePage({ ...query, range })));
    if (isFull(found)) return found;
    share = nextShare(share, found, query);
    spent = found;
  }
  return withCost(spent, await run(compilePage(query)));
}

function isByTime({ order, timestampColumn }: Reading, { startMs, endMs }: TimeRange): boolean {
  return order[0]?.column === timestampColumn && endMs - startMs > wholeMs;
}

function nearestPart(range: TimeRange, share: number, { order }: Reading): TimeRange {
  const lengthMs = Math.ceil((range.endMs - range.startMs) * share);
  if (order[0]?.descending) return { ...range, startMs: range.endMs - lengthMs };
  return { ...range, endMs: range.startMs + lengthMs };
}

/** As if the events lay as densely in the rest of the range; `undefined` for the whole of it. */
function nextShare(share: number, { rows }: QueryResult, { offset, limit }: SearchQuery): number | undefined {
  if (rows === 0) return undefined;
  const found = rows + Math.max(0, offset - 1);
  const next = (share * margin * (offset + limit + 1)) / found;
  return next > share && next <= largestShare ? next : undefined;
}

function withCost(before: QueryResult | undefined, found: QueryResult): QueryResult {
  return before === undefined ? found : withCostOf(before, found);
}
