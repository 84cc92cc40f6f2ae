import { useQuery } from '@tanstack/react-query';
import type { LogSource, TraceSource } from '../../../../src/contract/source.ts';
import { fetchData } from '../../api/client.ts';
import { type EventRow, readRow, selectOfRows, timestampOf } from '../search/event-columns.ts';
import { sqlText } from '../search/where-clause.ts';
import type { ResolvedRange } from '../time-range/time-range.ts';
import { fieldsQuery } from '../where-editor/source-queries.ts';
import { readSpans, selectOfSpans } from './read-spans.ts';
import type { Span } from './span-tree.ts';

const pageRows = 2000;
const offsetMax = 10_000;
const logsMax = 500;

type Rows = Record<string, unknown>[];

const isoRange = ({ startMs, endMs }: ResolvedRange) => ({
  startTime: new Date(startMs).toISOString(),
  endTime: new Date(endMs).toISOString(),
});

export interface TraceFound {
  spans: Span[];
  /** There are more spans than one page shows. */
  truncated: boolean;
}

/** All spans of a trace, as far as the API's pages reach. */
export function useTrace(traceId: string, source: TraceSource | undefined, range: ResolvedRange) {
  const fields = useQuery(fieldsQuery(source?.id ?? ''));
  return useQuery({
    queryKey: ['trace', source?.id, traceId, range.startMs, range.endMs],
    enabled: source !== undefined && fields.isFetched,
    staleTime: 60_000,
    queryFn: async ({ signal }): Promise<TraceFound> => {
      if (!source) return { spans: [], truncated: false };
      const body = {
        sourceId: source.id,
        ...isoRange(range),
        where: `${source.traceIdExpression} = ${sqlText(traceId)}`,
        whereLanguage: 'sql',
        select: selectOfSpans(source, new Set((fields.data ?? []).map(({ name }) => name))),
        orderBy: /^\w+$/.test(timestampOf(source)) ? `${timestampOf(source)} ASC` : '',
        maxResults: pageRows,
      };
      const rows: Rows = [];
      let isMore = true;
      for (let offset = 0; isMore && offset <= offsetMax; offset += pageRows) {
        const page = await fetchData<Rows>('search', { method: 'POST', body: { ...body, offset }, signal });
        rows.push(...page);
        isMore = page.length === pageRows;
      }
      return { spans: readSpans(rows, source), truncated: isMore };
    },
  });
}

/** Logs that were written within the trace. */
export function useTraceLogs(traceId: string, source: LogSource | undefined, range: ResolvedRange | undefined) {
  return useQuery({
    queryKey: ['trace-logs', source?.id, traceId, range],
    enabled: source?.traceIdExpression !== undefined && range !== undefined,
    staleTime: 60_000,
    queryFn: async ({ signal }): Promise<EventRow[]> => {
      if (!source?.traceIdExpression || !range) return [];
      const body = {
        sourceId: source.id,
        ...isoRange(range),
        where: `${source.traceIdExpression} = ${sqlText(traceId)}`,
        whereLanguage: 'sql',
        select: selectOfRows(source),
        maxResults: logsMax,
      };
      const rows = await fetchData<Rows>('search', { method: 'POST', body, signal });
      return rows.map((row) => readRow(row, source)).reverse();
    },
  });
}
