import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { FieldValue } from '../../../../src/contract/completion.ts';
import type { DashboardFilter } from '../../../../src/contract/dashboard-filter.ts';
import { substituteVariables } from '../../../../src/contract/substitute-variables.ts';
import type { TileVariable } from '../../../../src/contract/variables.ts';
import { fetchData } from '../../api/client.ts';
import type { ResolvedRange } from '../time-range/time-range.ts';

/** Values that a filter offers: those of its expression in the dashboard's range, in rows that its own `where` finds. */
export function filterValuesQuery(
  filter: DashboardFilter,
  { startMs, endMs }: ResolvedRange,
  prefix: string,
  variables: readonly TileVariable[],
) {
  const { sourceId, expression, where: written = '', whereLanguage = 'lucene' } = filter;
  const where = substituteVariables(written, whereLanguage, variables).text;
  const query = new URLSearchParams({
    field: expression,
    startTime: String(startMs),
    endTime: String(endMs),
    limit: '100',
    ...(prefix === '' ? {} : { prefix }),
    ...(where === '' ? {} : { where, whereLanguage }),
  });
  return queryOptions({
    queryKey: ['sources', sourceId, 'filter-values', query.toString()],
    queryFn: ({ signal }) => fetchData<FieldValue[]>(`sources/${sourceId}/values?${query}`, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    retry: false,
  });
}
