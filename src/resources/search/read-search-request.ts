import { AppError } from '../../contract/errors.ts';
import { type SearchRequest, searchLimits } from '../../contract/search.ts';
import type { LogSource, TraceSource } from '../../contract/source.ts';
import { parseInstant } from '../../kernel/instant.ts';
import type { TimeRange } from '../../query/chart-query.ts';
import type { SearchQuery } from '../../query/search-query.ts';
import { readSelectList, type SelectItem } from '../sources/select-list.ts';

const defaultRangeMs = 15 * 60_000;
/** The clock of the store ends in 2262. */
const largestInstantMs = 9_223_372_036_854;

export interface SearchDefinition {
  query: SearchQuery;
  columns: readonly SelectItem[];
}

/**
 * What a search over this source means, its own defaults filled in. Throws `query_invalid` with the path and what would
 * be right.
 */
export function readSearchRequest(
  body: SearchRequest,
  source: LogSource | TraceSource,
  nowMs: number,
): SearchDefinition {
  const columns = readColumns(body.select ?? '', source);
  const orderBy = body.orderBy?.trim() ? body.orderBy : undefined;
  return {
    columns,
    query: {
      range: readRange(body, nowMs),
      where: body.where ?? '',
      whereLanguage: body.whereLanguage ?? 'lucene',
      select: columns.map(({ text }) => text),
      ...(orderBy !== undefined && { orderBy }),
      limit: body.maxResults ?? searchLimits.resultsDefault,
      offset: body.offset ?? 0,
    },
  };
}

/** The columns of a select text; blank = those of the source. Throws `query_invalid`. */
export function readColumns(select: string, source: LogSource | TraceSource): SelectItem[] {
  const columns = readSelectList(select.trim() || source.defaultTableSelectExpression);
  if (columns.length === 0) throw invalid('select: names no column.');
  if (columns.length > searchLimits.columns) {
    throw invalid(`select: must have at most ${searchLimits.columns} columns, not ${columns.length}.`);
  }
  return columns;
}

function readRange({ startTime, endTime }: SearchRequest, nowMs: number): TimeRange {
  const endMs = endTime === undefined ? nowMs : readInstant('endTime', endTime);
  const startMs = startTime === undefined ? endMs - defaultRangeMs : readInstant('startTime', startTime);
  if (startMs >= endMs) throw invalid('endTime: must be later than startTime.');
  return { startMs, endMs };
}

function readInstant(name: string, text: string): number {
  const ms = parseInstant(text) ?? Number.NaN;
  if (ms >= 0 && ms <= largestInstantMs) return ms;
  throw invalid(`${name}: must be an ISO 8601 date and time with a time zone, such as 2026-01-31T12:00:00Z.`);
}

function invalid(text: string): AppError {
  return new AppError('query_invalid', { public: text });
}
