import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { AlertInput, AlertRecord } from '../../../../src/contract/alert.ts';
import type { AlertDeliveryRecord, AlertEvaluationRecord } from '../../../../src/contract/alert-log.ts';
import type { WebhookRecord } from '../../../../src/contract/webhook.ts';
import { fetchData } from '../../api/client.ts';
import { bodyOfAlert } from './alert-body.ts';

/** Short enough that who looks sees an alert fire and resolve. */
const refreshMs = 5000;

export const alertsQuery = queryOptions({
  queryKey: ['alerts'],
  queryFn: () => fetchData<AlertRecord[]>('alerts'),
  refetchInterval: refreshMs,
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
    refetchInterval: limit === 1 ? 30_000 : refreshMs,
  });
}

export function deliveriesQuery(id: string) {
  return queryOptions({
    queryKey: ['alerts', id, 'deliveries'],
    queryFn: () => fetchData<AlertDeliveryRecord[]>(`alerts/${id}/deliveries?limit=50`),
    refetchInterval: refreshMs,
  });
}

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: () => fetchData<WebhookRecord[]>('webhooks'),
});

function useAlertChange<Input, Answer>(change: (input: Input) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => client.invalidateQueries({ queryKey: alertsQuery.queryKey }),
  });
}

/** Creates, or replaces the one with `id`. */
export function useSaveAlert() {
  return useAlertChange(({ id, body }: { id?: string | undefined; body: AlertInput }) =>
    fetchData<AlertRecord>(id ? `alerts/${id}` : 'alerts', { method: id ? 'PUT' : 'POST', body }),
  );
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
