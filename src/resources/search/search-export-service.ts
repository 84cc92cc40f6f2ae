import { exportRowsMax } from '../../contract/export-format.ts';
import type { SearchExportRequest } from '../../contract/search-export.ts';
import type { LogSource, TraceSource } from '../../contract/source.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { QueryResult } from '../../telemetry/ports.ts';
import { eventSource, openEvents } from '../charts/reading/open-events.ts';
import { toQueryAppError } from '../charts/reading/query-errors.ts';
import type { ReadableSources } from '../charts/reading/readable-sources.ts';
import type { ScanLimits } from '../charts/reading/scan-runner.ts';
import type { SelectItem } from '../sources/select-list.ts';
import { ExportCursor } from './export-cursor.ts';
import { nextPageRows } from './export-page-size.ts';
import type { PageReading } from './page-reading.ts';
import { prepareSearch } from './prepare-search.ts';
import { exportHead, exportLines } from './print-export.ts';
import { readSearchRequest } from './read-search-request.ts';

export interface SearchExportDeps {
  sources: ReadableSources;
  limits: ScanLimits;
  clock: Clock;
}

export interface SearchExport {
  fileName: string;
  /** Rows at most. */
  limit: number;
  /** The file piece by piece; the first one is read already. Throws as a search does. */
  parts: AsyncIterable<string>;
}

interface Writing {
  format: SearchExportRequest['format'];
  columns: readonly SelectItem[];
  limit: number;
}

/** Lines that are written without giving others a turn. */
const partRows = 500;
const firstPageRows = 2_000;

/** All events of a search as a file, read as fast as the client takes it. */
export class SearchExportService {
  readonly #deps: SearchExportDeps;

  constructor(deps: SearchExportDeps) {
    this.#deps = deps;
  }

  /** Reads the first page, and the others while the answer is sent. Throws as `SearchService.search` does. */
  async export(tenantId: string, body: SearchExportRequest, signal: AbortSignal): Promise<SearchExport> {
    const { sources, limits, clock } = this.#deps;
    const source = eventSource(await sources.get(tenantId, body.sourceId));
    const { query, columns } = readSearchRequest(body, source, clock.nowMs());
    const open = await openEvents(sources, limits, tenantId, source);
    const options = { name: 'export query', queryClass: 'interactive', timeoutMs: limits.timeoutMs, signal } as const;
    const { format, limit = exportRowsMax } = body;
    const run: PageReading['run'] = (compiled) => open.engine.runner.run(compiled, options);
    const cursor = new ExportCursor({ ...prepareSearch(query, open), run });
    const firstPage = await nextPage(cursor, firstPageRows, limit);
    const parts = partsOf(cursor, firstPage, { format, columns, limit });
    return { fileName: fileNameOf(source, query.range, format), limit, parts };
  }
}

async function* partsOf(
  cursor: ExportCursor,
  firstPage: QueryResult | undefined,
  { format, columns, limit }: Writing,
): AsyncGenerator<string> {
  yield exportHead(format, columns);
  let page = firstPage;
  let left = limit;
  while (page) {
    let length = 0;
    for (let from = 0; from < page.rows; from += partRows) {
      const part = exportLines(format, rowsOf(page, from, partRows), columns);
      length += part.length;
      yield part;
    }
    left -= page.rows;
    page = left > 0 ? await nextPage(cursor, nextPageRows(page.rows, length), left) : undefined;
  }
}

async function nextPage(cursor: ExportCursor, rowsWanted: number, rowsMax: number): Promise<QueryResult | undefined> {
  try {
    return await cursor.next(rowsWanted, rowsMax);
  } catch (error) {
    throw toQueryAppError(error);
  }
}

function rowsOf(result: QueryResult, from: number, count: number): QueryResult {
  const columns = result.columns.map((column) => column.slice(from, from + count));
  return { ...result, columns, rows: Math.min(count, result.rows - from) };
}

/** `logs-20260131T120000Z-20260131T121500Z.csv`: letters and digits alone, as it becomes part of a header. */
function fileNameOf(
  { name }: LogSource | TraceSource,
  { startMs, endMs }: { startMs: number; endMs: number },
  format: string,
): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60);
  const instant = (ms: number) => new Date(ms).toISOString().replace(/\.\d+|[-:]/g, '');
  return `${slug || 'events'}-${instant(startMs)}-${instant(endMs)}.${format}`;
}
