import { Button, Table, Text, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AlertDeliveryRecord } from '../../../../src/contract/alert-log.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { instantText } from '../../ui/instant-text.ts';
import { showDone, showFailure } from '../../ui/notify.ts';
import { Pages } from '../../ui/Pages.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { useUrlPage } from '../../url-state.ts';
import { deliveryLabels, groupText } from './alert-labels.ts';
import { deliveriesPageQuery, logPageSize, useReplayDelivery } from './alert-queries.ts';
import { useWatchedNames } from './use-watched-names.ts';

/** Every attempt to notify a webhook, with its outcome. */
export function DeliveryLog({ alertId }: { alertId: string }) {
  const [page, goToPage] = useUrlPage('deliveriesPage');
  const deliveries = useQuery(deliveriesPageQuery(alertId, page));
  const entries = deliveries.data?.entries ?? [];
  const { webhookName } = useWatchedNames();
  const replay = useReplayDelivery(alertId);
  const send = (id: string) =>
    replay.mutate(id, { onSuccess: () => showDone('The message is being sent again.'), onError: showFailure });
  return (
    <Panel title="Deliveries" description="Every attempt to notify a webhook, and pending notifications. Newest first.">
      {deliveries.error ? <ErrorNotice error={deliveries.error} /> : null}
      {deliveries.data?.total === 0 ? <Text size="sm">No notifications sent yet.</Text> : null}
      {entries.length > 0 ? (
        <Table.ScrollContainer minWidth={330} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>At</Table.Th>
                <Table.Th visibleFrom="sm">Webhook</Table.Th>
                <Table.Th>Reason</Table.Th>
                <Table.Th>Outcome</Table.Th>
                <Table.Th visibleFrom="sm">Attempt</Table.Th>
                <Table.Th>
                  <VisuallyHidden>Actions</VisuallyHidden>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {entries.map((delivery) => (
                <Table.Tr key={delivery.id}>
                  <Table.Td>{instantText(delivery.at)}</Table.Td>
                  <Table.Td visibleFrom="sm">{webhookName(delivery.webhookId)}</Table.Td>
                  <Table.Td>
                    {delivery.reason} {groupText(delivery.group ?? [])}
                  </Table.Td>
                  <Table.Td>{outcomeOf(delivery)}</Table.Td>
                  <Table.Td visibleFrom="sm">{delivery.attempt}</Table.Td>
                  <Table.Td>
                    {delivery.replayable ? (
                      <Button
                        variant="default"
                        size="compact-xs"
                        aria-label={`Replay the delivery of ${instantText(delivery.at)}`}
                        disabled={replay.isPending}
                        onClick={() => send(delivery.id)}
                      >
                        Replay
                      </Button>
                    ) : null}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      ) : null}
      <Pages
        label="attempts"
        page={page}
        pageSize={logPageSize}
        total={deliveries.data?.total ?? 0}
        onChange={goToPage}
      />
    </Panel>
  );
}

/** `Failing · next attempt 12:00 · 503 · The receiver answered 503.` */
function outcomeOf({ state, status, error, notice, nextAttemptAt }: AlertDeliveryRecord): string {
  const next = nextAttemptAt && `next attempt ${instantText(nextAttemptAt)}`;
  return [deliveryLabels[state], next, status, error, notice].filter(Boolean).join(' · ');
}
