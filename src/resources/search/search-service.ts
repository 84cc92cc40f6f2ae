import type { SearchAnswer, SearchRequest } from '../../contract/search.ts';
import type { LogSource, TraceSource } from '../../contract/source.ts';
import type { Clock } from '../../kernel/clock.ts';
import { compileSearch, compileSearchPage } from '../../query/compile-search.ts';
import { QueryTextError } from '../../query/compiled-query.ts';
import type { RequestText } from '../../query/named-attributes.ts';
import { orderOfSearch, type SearchQuery } from '../../query/search-query.ts';
import type { TableSchema } from '../../query/source-schema.ts';
import { parseOrder } from '../../query/sql/parse-order.ts';
import type { QueryResult } from '../../telemetry/ports.ts';
import { eventSource, type OpenEvents, openEvents } from '../charts/reading/open-events.ts';
import { toQueryAppError } from '../charts/reading/query-errors.ts';
import type { ReadableSources } from '../charts/reading/readable-sources.ts';
import type { ScanLimits } from '../charts/reading/scan-runner.ts';
import type { UnseenAttributes } from '../charts/reading/unseen-attributes.ts';
import { toTextProblem } from '../charts/request/text-problem.ts';
import type { EventSearch, EventsFound, EventsRequest } from '../charts/tiles/event-search.ts';
import { readSelectList } from '../sources/select-list.ts';
import { presentEvents } from './present-events.ts';
import { type PageReading, readPage } from './read-page.ts';
import { readColumns, readSearchRequest } from './read-search-request.ts';

export interface SearchServiceDeps {
  sources: ReadableSources;
  unseen: UnseenAttributes;
  limits: ScanLimits;
  clock: Clock;
}

/** Finds single events of log and trace sources (contract §7). */
export class SearchService implements EventSearch {
  readonly #sources: ReadableSources;
  readonly #unseen: UnseenAttributes;
  readonly #limits: ScanLimits;
  readonly #clock: Clock;

  constructor({ sources, unseen, limits, clock }: SearchServiceDeps) {
    this.#sources = sources;
    this.#unseen = unseen;
    this.#limits = limits;
    this.#clock = clock;
  }

  /**
   * Throws `source_not_found`, `connection_not_found`, `query_invalid` with path and position, `query_timeout`,
   * `query_failed`, `engine_unavailable`.
   */
  async search(tenantId: string, body: SearchRequest, signal: AbortSignal): Promise<SearchAnswer> {
    const source = eventSource(await this.#sources.get(tenantId, body.sourceId));
    const { query, columns } = readSearchRequest(body, source, this.#clock.nowMs());
    const open = await this.#open(tenantId, source);
    const [result, warnings] = await Promise.all([
      this.#run(open, query, signal),
      // About what the request itself says: what the source selects is not the caller's.
      this.#unseen.warningsOf(open, textsOf(body), query.range),
    ]);
    const data = presentEvents(result, columns);
    const { rowsRead, elapsedMs } = result;
    return { data, rows: data.length, meta: { rowsRead, elapsedMs, ...(warnings.length > 0 && { warnings }) } };
  }

  /** Throws as `search` does. */
  async firstEvents(tenantId: string, request: EventsRequest, signal: AbortSignal): Promise<EventsFound> {
    const source = eventSource(await this.#sources.get(tenantId, request.sourceId));
    const { range, where, whereLanguage, limit } = request;
    const columns = readColumns(request.select, source);
    const conditions = request.conditions.filter((each) => each.sourceId === undefined || each.sourceId === source.id);
    const select = columns.map(({ text }) => text);
    const query = { range, where, whereLanguage, conditions, select, limit, offset: 0 };
    const result = await this.#run(await this.#open(tenantId, source), query, signal);
    const { rowsRead, bytesRead, elapsedMs } = result;
    const rows = Array.from({ length: result.rows }, (_, row) => columns.map((_, at) => result.columns[at]?.[row]));
    const types = columns.map((_, at) => result.types[at] ?? '');
    return { columns: columns.map(({ key }) => key), types, rows, rowsRead, bytesRead, elapsedMs };
  }

  #open(tenantId: string, source: LogSource | TraceSource): Promise<OpenEvents> {
    return openEvents(this.#sources, this.#limits, tenantId, source);
  }

  async #run(open: OpenEvents, query: SearchQuery, signal: AbortSignal): Promise<QueryResult> {
    const { timeoutMs } = this.#limits;
    const options = { name: 'search query', queryClass: 'interactive', timeoutMs, signal } as const;
    try {
      const page = prepare(query, open);
      return await readPage({ ...page, run: (compiled) => open.engine.runner.run(compiled, options) });
    } catch (error) {
      throw toQueryAppError(error);
    }
  }
}

function prepare(query: SearchQuery, { source, schema, guards }: OpenEvents): Omit<PageReading, 'run'> {
  const orderBy = query.orderBy ?? orderOf(source, schema.table);
  const ordered = { ...query, ...(orderBy !== undefined && { orderBy }) };
  const located = <T>(compile: () => T): T => withTextErrors(source.name, compile);
  return {
    query: ordered,
    order: located(() => orderOfSearch(ordered, schema)),
    timestampColumn: schema.timestampColumn,
    compilePage: (page) => located(() => compileSearchPage(page, schema, guards)),
    compileExact: (page) => located(() => compileSearch(page, schema, guards)),
  };
}

function textsOf({ where = '', whereLanguage = 'lucene', select = '' }: SearchRequest): RequestText[] {
  const columns = readSelectList(select).map(({ text }, at) => ({
    path: `select.${at}`,
    text,
    language: 'value' as const,
  }));
  return [{ path: 'where', text: where, language: whereLanguage }, ...columns];
}

/** The source's own order as far as we read orders: one that is made of anything but columns means newest first. */
function orderOf({ orderByExpression }: LogSource | TraceSource, { columns }: TableSchema): string | undefined {
  if (!orderByExpression?.trim()) return undefined;
  try {
    parseOrder(orderByExpression, columns);
    return orderByExpression;
  } catch (error) {
    if (error instanceof QueryTextError) return undefined;
    throw error;
  }
}

/** Positions are in the text; in `select` within its column. */
function withTextErrors<T>(sourceName: string, compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    if (error instanceof QueryTextError) throw toTextProblem(error, sourceName, (where = 'where') => where);
    throw error;
  }
}
