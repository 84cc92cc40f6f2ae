import { queryOptions, useQuery } from '@tanstack/react-query';
import type { FieldValue, MetricNameRecord, SourceField } from '../../../../src/contract/completion.ts';
import type {
  LogSource,
  MetricSource,
  PromqlSource,
  SessionSource,
  SourceListMeta,
  TraceSource,
} from '../../../../src/contract/source.ts';
import { type ApiAnswer, callApi, fetchData } from '../../api/client.ts';

export type SourceRecord = LogSource | TraceSource | MetricSource | SessionSource | PromqlSource;

/** The list of sources with its warnings, fetched once. */
const sourceListQuery = queryOptions({
  queryKey: ['sources'],
  queryFn: () => callApi<SourceRecord[]>('sources'),
  staleTime: 60_000,
});

export const sourcesQuery = { ...sourceListQuery, select: ({ data }: ApiAnswer<SourceRecord[]>) => data };

/** What the collector rejected lately for its times, in sentences. */
export const sourceWarningsQuery = {
  ...sourceListQuery,
  refetchInterval: 60_000,
  select: ({ meta }: ApiAnswer<SourceRecord[]>) => {
    // The answer's own schema.
    const { warnings = [] } = (meta ?? {}) as SourceListMeta;
    return warnings.map(({ message }) => message);
  },
};

export function useSources(): SourceRecord[] {
  return useQuery(sourcesQuery).data ?? [];
}

/** What editors complete names with. */
export function fieldsQuery(sourceId: string) {
  return queryOptions({
    queryKey: ['sources', sourceId, 'fields'],
    queryFn: () => fetchData<SourceField[]>(`sources/${sourceId}/fields?limit=2000`),
    staleTime: 60_000,
    enabled: sourceId !== '',
  });
}

export function valuesQuery(sourceId: string, field: string, prefix: string) {
  const query = new URLSearchParams({ field, limit: '50', ...(prefix === '' ? {} : { prefix }) });
  return queryOptions({
    queryKey: ['sources', sourceId, 'values', field, prefix],
    queryFn: () => fetchData<FieldValue[]>(`sources/${sourceId}/values?${query}`),
    staleTime: 30_000,
    retry: false,
  });
}

export function metricsQuery(sourceId: string) {
  return queryOptions({
    queryKey: ['sources', sourceId, 'metrics'],
    queryFn: () => fetchData<MetricNameRecord[]>(`sources/${sourceId}/metrics?limit=5000`),
    staleTime: 60_000,
    enabled: sourceId !== '',
  });
}
