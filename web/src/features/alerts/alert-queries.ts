import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { AlertRecord } from '../../../../src/contract/alert.ts';
import type { AlertDeliveryRecord, AlertEvaluationRecord } from '../../../../src/contract/alert-log.ts';
import type { AlertTrendRecord } from '../../../../src/contract/alert-trend.ts';
import type { WebhookRecord } from '../../../../src/contract/webhook.ts';
import { callApi, fetchAll, fetchData } from '../../api/client.ts';
import { parseDuration, type ResolvedRange } from '../time-range/time-range.ts';
import { bodyOfAlert } from './alert-body.ts';
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

/** The last windows of the alerts on one page of a list, and what became of their messages. */
export function trendsQuery(ids: readonly string[]) {
  // Alerts change places while they fire and resolve; the answer is the same.
  const sorted = ids.toSorted();
  return queryOptions({
    queryKey: ['alerts', 'trends', sorted],
    queryFn: ({ signal }) => fetchData<AlertTrendRecord[]>(`alerts/trends?ids=${sorted.join(',')}`, { signal }),
    select: (trends: readonly AlertTrendRecord[]) => new Map(trends.map((trend) => [trend.id, trend])),
    enabled: sorted.length > 0,
    placeholderData: keepPreviousData,
    refetchInterval: slowRefreshMs,
  });
}

/** The page of a history that holds the window which an instant is in, or the last one before it. */
export async function findHistoryPage(id: string, atMs: number): Promise<number> {
  const { data, meta } = await callApi<unknown[]>(`alerts/${id}/history?limit=1&startTime=${atMs}`);
  const windowsAfter = Number(meta?.total ?? data.length);
  return Math.floor(Math.max(windowsAfter - 1, 0) / logPageSize) + 1;
}

/** The windows that a range touches. Its ends are taken to the minute, so that one that moves asks no more often. */
export function historyOfRangeQuery({ id, interval }: Pick<AlertRecord, 'id' | 'interval'>, range: ResolvedRange) {
  const startTime = Math.floor(range.startMs / minuteMs) * minuteMs;
  // The window that the range ends in ends up to an interval later.
  const endTime = Math.ceil(range.endMs / minuteMs) * minuteMs + parseDuration(interval);
  const readPage = (page: number) =>
    readLogPage<AlertEvaluationRecord>(id, 'history', page, `&startTime=${startTime}&endTime=${endTime}`);
  return queryOptions({
    queryKey: ['alerts', id, 'history', 'range', { startTime, endTime }],
    queryFn: () => readHistory({ pageSize: logPageSize, readPage }),
    placeholderData: keepPreviousData,
    refetchInterval: slowRefreshMs,
  });
}

/** Entries on a page of the history or of the deliveries: the API's page size for the former. */
export const logPageSize = 100;

export interface LogPage<T> {
  entries: T[];
  /** Of all pages. */
  total: number;
}

export const historyPageQuery = (id: string, page: number) => logPageQuery<AlertEvaluationRecord>(id, 'history', page);

export const deliveriesPageQuery = (id: string, page: number) =>
  logPageQuery<AlertDeliveryRecord>(id, 'deliveries', page);

/** Newest first, page 1 the newest. Only that one refreshes automatically: the others would move away under the reader. */
function logPageQuery<T>(id: string, log: 'history' | 'deliveries', page: number) {
  return queryOptions({
    queryKey: ['alerts', id, log, 'page', page],
    queryFn: () => readLogPage<T>(id, log, page),
    placeholderData: keepPreviousData,
    refetchInterval: page === 1 ? refreshMs : false,
  });
}

async function readLogPage<T>(
  id: string,
  log: 'history' | 'deliveries',
  page: number,
  range = '',
): Promise<LogPage<T>> {
  const offset = (page - 1) * logPageSize;
  const { data, meta } = await callApi<T[]>(`alerts/${id}/${log}?limit=${logPageSize}&offset=${offset}${range}`);
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

/** Reads the rule again first: a list that is seconds old must not undo someone's edit. */
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

/** The same mark on several alerts; those that could not be marked are counted. */
export function useMarkAlerts() {
  return useAlertChange(async ({ ids, mark, body }: AlertMark & { ids: readonly string[] }) => {
    const outcomes = await Promise.allSettled(
      ids.map((id) => fetchData(`alerts/${id}/${mark}`, body ? { method: 'POST', body } : { method: 'DELETE' })),
    );
    return { failed: outcomes.filter(({ status }) => status === 'rejected').length };
  });
}

/** How many alerts fire, for the navigation; asked less often than on the pages of alerts. */
export const firingCountQuery = {
  ...alertsQuery,
  refetchInterval: slowRefreshMs,
  select: (alerts: readonly AlertRecord[]) => alerts.filter(({ state }) => state === 'ALERT').length,
};

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
