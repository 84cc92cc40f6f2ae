import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { AlertRecord } from '../../../../src/contract/alert.ts';
import type { AlertDeliveryRecord, AlertEvaluationRecord } from '../../../../src/contract/alert-log.ts';
import type { WebhookRecord } from '../../../../src/contract/webhook.ts';
import { callApi, fetchAll, fetchData } from '../../api/client.ts';
import { bodyOfAlert } from './alert-body.ts';
import type { WindowEndAt } from './find-page.ts';
import { readHistory } from './read-history.ts';

/** Short enough that who looks sees an alert fire and resolve. */
const refreshMs = 5000;
const slowRefreshMs = 30_000;
const alertsOften = 500;
const minuteMs = 60_000;

export const alertsQuery = queryOptions({
  queryKey: ['alerts'],
  queryFn: ({ signal }) => fetchAll<AlertRecord>('alerts', signal),
  // A list that takes several answers is read less often.
  refetchInterval: ({ state }) => ((state.data?.length ?? 0) > alertsOften ? slowRefreshMs : refreshMs),
});

export function alertQuery(id: string) {
  return queryOptions({
    queryKey: ['alerts', id],
    queryFn: () => fetchData<AlertRecord>(`alerts/${id}`),
    refetchInterval: refreshMs,
  });
}

/** The last `limit` windows, newest first. */
export function historyQuery(id: string, limit: number) {
  return queryOptions({
    queryKey: ['alerts', id, 'history', limit],
    queryFn: () => fetchData<AlertEvaluationRecord[]>(`alerts/${id}/history?limit=${limit}`),
    refetchInterval: slowRefreshMs,
  });
}

/** Where the window at one place of a history ends, 0 the newest. */
export function windowEndsOf(id: string): WindowEndAt {
  return async (place) => {
    const [entry] = await fetchData<AlertEvaluationRecord[]>(`alerts/${id}/history?limit=1&offset=${place}`);
    return entry && Date.parse(entry.windowEnd);
  };
}

/** The windows that a range touches. Its ends are taken to the minute, so that one that moves asks no more often. */
export function historyOfRangeQuery(id: string, { startMs, endMs }: { startMs: number; endMs: number }) {
  const range = { startMs: Math.floor(startMs / minuteMs) * minuteMs, endMs: Math.ceil(endMs / minuteMs) * minuteMs };
  const reader = {
    pageSize: logPageSize,
    readPage: (page: number) => readLogPage<AlertEvaluationRecord>(id, 'history', page),
    windowEndAt: windowEndsOf(id),
  };
  return queryOptions({
    queryKey: ['alerts', id, 'history', 'range', range],
    queryFn: () => readHistory(reader, range),
    placeholderData: keepPreviousData,
    refetchInterval: slowRefreshMs,
  });
}

/** Entries that a page of the history or of the deliveries shows: as many as the API gives at once of the former. */
export const logPageSize = 100;

export interface LogPage<T> {
  entries: T[];
  /** Of all pages. */
  total: number;
}

export const historyPageQuery = (id: string, page: number) => logPageQuery<AlertEvaluationRecord>(id, 'history', page);

export const deliveriesPageQuery = (id: string, page: number) =>
  logPageQuery<AlertDeliveryRecord>(id, 'deliveries', page);

/** Newest first, page 1 the newest. Only that one moves on by itself: on the others it would run away from the reader. */
function logPageQuery<T>(id: string, log: 'history' | 'deliveries', page: number) {
  return queryOptions({
    queryKey: ['alerts', id, log, 'page', page],
    queryFn: () => readLogPage<T>(id, log, page),
    placeholderData: keepPreviousData,
    refetchInterval: page === 1 ? refreshMs : false,
  });
}

/** What became of the newest message of an alert. */
export function lastDeliveryQuery(id: string) {
  return queryOptions({
    queryKey: ['alerts', id, 'deliveries', 'last'],
    queryFn: () => fetchData<AlertDeliveryRecord[]>(`alerts/${id}/deliveries?limit=1`),
    refetchInterval: slowRefreshMs,
  });
}

async function readLogPage<T>(id: string, log: 'history' | 'deliveries', page: number): Promise<LogPage<T>> {
  const offset = (page - 1) * logPageSize;
  const { data, meta } = await callApi<T[]>(`alerts/${id}/${log}?limit=${logPageSize}&offset=${offset}`);
  return { entries: data, total: Number(meta?.total ?? data.length) };
}

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: ({ signal }) => fetchAll<WebhookRecord>('webhooks', signal),
});

function useAlertChange<Input, Answer>(change: (input: Input) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => client.invalidateQueries({ queryKey: alertsQuery.queryKey }),
  });
}

/** Reads the rule anew first: a list that is seconds old must not undo somebody's edit. */
export function useEnableAlert() {
  return useAlertChange(async ({ id, enabled }: { id: string; enabled: boolean }) => {
    const current = await fetchData<AlertRecord>(`alerts/${id}`);
    return fetchData<AlertRecord>(`alerts/${id}`, { method: 'PUT', body: { ...bodyOfAlert(current), enabled } });
  });
}

export interface AlertMark {
  mark: 'silenced' | 'acknowledged';
  /** Absent: the mark is taken away. */
  body?: { until?: string; comment?: string };
}

export function useMarkAlert(id: string) {
  return useAlertChange(({ mark, body }: AlertMark) =>
    fetchData(`alerts/${id}/${mark}`, body ? { method: 'POST', body } : { method: 'DELETE' }),
  );
}

export function useReplayDelivery(alertId: string) {
  return useAlertChange((deliveryId: string) =>
    fetchData(`alerts/${alertId}/deliveries/${deliveryId}/replay`, { method: 'POST' }),
  );
}

export function useDeleteAlert() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => fetchData(`alerts/${id}`, { method: 'DELETE' }),
    // Only the list: the page of the one that is gone must not ask for it again.
    onSuccess: () => client.invalidateQueries({ queryKey: alertsQuery.queryKey, exact: true }),
  });
}
