import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type {
  Service,
  ServiceError,
  ServiceListMeta,
  ServiceMap,
  ServiceMapMeta,
  ServiceOperation,
} from '../../../../src/contract/services.ts';
import type { TraceSource } from '../../../../src/contract/source.ts';
import type { TileAnswer } from '../../../../src/contract/tile-query.ts';
import { callApi, fetchData } from '../../api/client.ts';
import { usePageZone } from '../../ui/zone-choice.ts';
import type { ResolvedRange } from '../time-range/time-range.ts';
import type { SpanFilterState } from './SpanFilter.tsx';
import { activitiesOf, activityCharts } from './service-activity.ts';

/** Spans of a source and a time. */
export interface SpanRange {
  source: TraceSource;
  range: ResolvedRange;
  /** Others are not counted. */
  filter: SpanFilterState;
}

const bodyOf = ({ source, range, filter }: SpanRange) => ({
  ...{ sourceId: source.id, startTime: range.startMs, endTime: range.endMs },
  ...{ where: filter.where, whereLanguage: filter.language },
});
const keyOf = ({ source, range, filter }: SpanRange) =>
  [source.id, range.startMs, range.endMs, filter.where, filter.language] as const;
const staleTime = 30_000;
const mostServices = 1000;

export function useServices(spans: SpanRange) {
  return useQuery({
    queryKey: ['services', ...keyOf(spans)],
    queryFn: async ({ signal }) => {
      const body = { ...bodyOf(spans), limit: mostServices };
      const { data, meta } = await callApi<Service[]>('services', { method: 'POST', body, signal });
      // The operation always answers with it.
      return { services: data, meta: meta as unknown as ServiceListMeta };
    },
    placeholderData: keepPreviousData,
    staleTime,
  });
}

export function useServiceMap(spans: SpanRange) {
  return useQuery({
    queryKey: ['services', 'map', ...keyOf(spans)],
    queryFn: async ({ signal }) => {
      const { data, meta } = await callApi<ServiceMap>('services/map', { method: 'POST', body: bodyOf(spans), signal });
      // The operation always answers with it.
      return { map: data, meta: meta as unknown as ServiceMapMeta };
    },
    placeholderData: keepPreviousData,
    staleTime,
  });
}

export function useOperations(spans: SpanRange, service: string) {
  return useQuery({
    queryKey: ['services', 'operations', service, ...keyOf(spans)],
    queryFn: ({ signal }) =>
      fetchData<ServiceOperation[]>('services/operations', {
        method: 'POST',
        body: { ...bodyOf(spans), service },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime,
  });
}

export function useServiceErrors(spans: SpanRange, service: string) {
  return useQuery({
    queryKey: ['services', 'errors', service, ...keyOf(spans)],
    queryFn: ({ signal }) =>
      fetchData<ServiceError[]>('services/errors', {
        method: 'POST',
        body: { ...bodyOf(spans), service, limit: 50 },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime,
  });
}

/** Charts, each by its name; a chart that cannot be read is missing. */
export function useCharts(
  key: string,
  { range, filter }: { range: ResolvedRange; filter?: SpanFilterState },
  configs: readonly { name: string; config: object }[],
) {
  const timezone = usePageZone();
  return useQuery({
    queryKey: ['services', 'charts', key, timezone, range.startMs, range.endMs, filter, configs],
    enabled: configs.length > 0,
    queryFn: ({ signal }) => {
      const tiles = configs.map(({ name, config }) => ({ ref: name, tile: { name, x: 0, y: 0, w: 8, h: 4, config } }));
      const narrowed = filter?.where ? { where: filter.where, whereLanguage: filter.language } : {};
      const body = { startTime: range.startMs, endTime: range.endMs, timezone, ...narrowed, tiles };
      return fetchData<TileAnswer[]>('charts/tiles', { method: 'POST', body, signal });
    },
    placeholderData: keepPreviousData,
    staleTime,
  });
}

/** Of the busiest services, by name, with one request for all of them; undefined until it is answered. */
export function useActivities(spans: SpanRange, services: readonly Service[] | undefined) {
  const charts = useMemo(() => (services ? activityCharts(spans.source, services) : []), [spans.source, services]);
  const { data } = useCharts('activity', spans, charts);
  return useMemo(() => (data ? activitiesOf(data) : undefined), [data]);
}
