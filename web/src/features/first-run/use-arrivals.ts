import { useQueries, useQuery } from '@tanstack/react-query';
import { fetchData } from '../../api/client.ts';
import { type EventRow, type EventSource, readRow } from '../search/event-columns.ts';
import { instantNs } from '../search/event-text.ts';
import { searchBody } from '../search/search-queries.ts';
import { sourcesQuery } from '../where-editor/source-queries.ts';

const hourMs = 3_600_000;
const askEveryMs = 2_000;
const shownMax = 8;

export interface Arrival extends EventRow {
  source: EventSource;
}

/** The newest events of the last hour in the team's own sources of logs and traces, again and again. */
export function useArrivals(): { arrivals: Arrival[]; error: Error | null } {
  const sources = useQuery(sourcesQuery);
  const own = (['log', 'trace'] as const).flatMap((kind): EventSource[] => {
    // The first of a kind is the team's: those of the program itself are made after it.
    const found = sources.data?.find((source) => source.kind === kind && !source.disabled);
    return found?.kind === 'log' || found?.kind === 'trace' ? [found] : [];
  });
  const answers = useQueries({
    queries: own.map((source) => ({
      queryKey: ['arrivals', source.id],
      refetchInterval: askEveryMs,
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const nowMs = Date.now();
        const range = { startMs: nowMs - hourMs, endMs: nowMs + hourMs };
        const body = { ...searchBody({ source, where: '', language: 'lucene', range }), maxResults: shownMax };
        const rows = await fetchData<Record<string, unknown>[]>('search', { method: 'POST', body, signal });
        return rows.map((row): Arrival => ({ ...readRow(row, source), source }));
      },
    })),
  });
  const newestFirst = (a: Arrival, b: Arrival) => Number((instantNs(b.time) ?? 0n) - (instantNs(a.time) ?? 0n));
  const arrivals = answers.flatMap(({ data = [] }) => data).sort(newestFirst);
  const error = sources.error ?? answers.find((answer) => answer.error)?.error ?? null;
  return { arrivals: arrivals.slice(0, shownMax), error };
}
