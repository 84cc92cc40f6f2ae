import type { SearchAnswer, SearchRequest } from '../../contract/search.ts';
import type { LogSource, TraceSource } from '../../contract/source.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { RequestText } from '../../query/named-attributes.ts';
import type { SearchQuery } from '../../query/search-query.ts';
import type { QueryResult } from '../../telemetry/ports.ts';
import { eventSource, type OpenEvents, openEvents } from '../charts/reading/open-events.ts';
import { toQueryAppError } from '../charts/reading/query-errors.ts';
import type { ReadableSources } from '../charts/reading/readable-sources.ts';
import type { ScanLimits } from '../charts/reading/scan-runner.ts';
import type { UnseenAttributes } from '../charts/reading/unseen-attributes.ts';
import type { EventSearch, EventsFound, EventsRequest } from '../charts/tiles/event-search.ts';
import { readSelectList } from '../sources/select-list.ts';
import { prepareSearch } from './prepare-search.ts';
import { presentEvents } from './present-events.ts';
import { readPage } from './read-page.ts';
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
      const page = prepareSearch(query, open);
      return await readPage({ ...page, run: (compiled) => open.engine.runner.run(compiled, options) });
    } catch (error) {
      throw toQueryAppError(error);
    }
  }
}

function textsOf({ where = '', whereLanguage = 'lucene', select = '' }: SearchRequest): RequestText[] {
  const columns = readSelectList(select).map(({ text }, at) => ({
    path: `select.${at}`,
    text,
    language: 'value' as const,
  }));
  return [{ path: 'where', text: where, language: whereLanguage }, ...columns];
}
