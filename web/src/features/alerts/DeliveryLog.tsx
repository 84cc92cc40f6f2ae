import { Button, Table, Text, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { instantText } from '../../ui/instant-text.ts';
import { showDone, showFailure } from '../../ui/notify.ts';
import { Pages } from '../../ui/Pages.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { useUrlPage } from '../../url-state.ts';
import { deliveriesPageQuery, logPageSize, useReplayDelivery } from './alert-queries.ts';
import { groupText } from './alert-words.ts';
import { useWatchedNames } from './use-watched-names.ts';

/** Every attempt to tell a webhook, with its outcome. */
export function DeliveryLog({ alertId }: { alertId: string }) {
  const [page, goToPage] = useUrlPage('deliveriesPage');
  const deliveries = useQuery(deliveriesPageQuery(alertId, page));
  const entries = deliveries.data?.entries ?? [];
  const { webhookName } = useWatchedNames();
  const replay = useReplayDelivery(alertId);
  const send = (id: string) =>
    replay.mutate(id, { onSuccess: () => showDone('The message is sent once more.'), onError: showFailure });
  return (
    <Panel title="Deliveries">
      {deliveries.error ? <ErrorNotice error={deliveries.error} /> : null}
      {deliveries.data?.total === 0 ? <Text size="sm">Nobody was told anything yet.</Text> : null}
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
                  <Table.Td>
                    {[delivery.state, delivery.status, delivery.error, delivery.notice].filter(Boolean).join(' · ')}
                  </Table.Td>
                  <Table.Td visibleFrom="sm">{delivery.attempt}</Table.Td>
                  <Table.Td>
                    <Button
                      variant="default"
                      size="compact-xs"
                      aria-label={`Replay the delivery of ${instantText(delivery.at)}`}
                      disabled={replay.isPending}
                      onClick={() => send(delivery.id)}
                    >
                      Replay
                    </Button>
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
