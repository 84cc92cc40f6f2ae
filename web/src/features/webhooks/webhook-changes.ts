import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { WebhookInput, WebhookRecord } from '../../../../src/contract/webhook.ts';
import { fetchData } from '../../api/client.ts';

export interface WebhookTest {
  delivered: boolean;
  status?: number;
  error?: string;
  notice?: string;
}

function useWebhookChange<Input, Answer>(change: (input: Input) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => client.invalidateQueries({ queryKey: ['webhooks'] }),
  });
}

/** Creates, or replaces the one with `id`. */
export function useSaveWebhook() {
  return useWebhookChange(({ id, body }: { id?: string | undefined; body: WebhookInput }) =>
    fetchData<WebhookRecord>(id ? `webhooks/${id}` : 'webhooks', { method: id ? 'PUT' : 'POST', body }),
  );
}

export function useDeleteWebhook() {
  return useWebhookChange((id: string) => fetchData(`webhooks/${id}`, { method: 'DELETE' }));
}

export function useTestWebhook() {
  return useMutation({
    mutationFn: (id: string) => fetchData<WebhookTest>(`webhooks/${id}/test`, { method: 'POST' }),
  });
}
