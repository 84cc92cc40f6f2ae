import { Switch, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AlertRecord } from '../../../../src/contract/alert.ts';
import type { NumberFormat } from '../../../../src/contract/number-format.ts';
import { instantText } from '../../ui/instant-text.ts';
import { AnchorLink } from '../../ui/links.tsx';
import { showFailure } from '../../ui/notify.ts';
import { limitText, valueText } from './alert-labels.ts';
import { historyQuery, useEnableAlert } from './alert-queries.ts';
import { decidingGroup } from './deciding-group.ts';
import { NotificationState } from './NotificationState.tsx';
import { StateBadge } from './StateBadge.tsx';
import { useWatched } from './use-watched.ts';
import { useWatchedNames } from './use-watched-names.ts';

/** On a telephone without what the alert's own page says. */
export function AlertTable({ alerts }: { alerts: readonly AlertRecord[] }) {
  return (
    <Table.ScrollContainer minWidth={300} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>State</Table.Th>
            <Table.Th>Name</Table.Th>
            <Table.Th visibleFrom="sm">Watches</Table.Th>
            <Table.Th visibleFrom="sm">Threshold</Table.Th>
            <Table.Th visibleFrom="sm">Interval</Table.Th>
            <Table.Th visibleFrom="sm">Last value</Table.Th>
            <Table.Th visibleFrom="sm">Channels</Table.Th>
            <Table.Th>Enabled</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {alerts.map((alert) => (
            <AlertRow key={alert.id} alert={alert} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function AlertRow({ alert }: { alert: AlertRecord }) {
  const { webhookName } = useWatchedNames();
  const enable = useEnableAlert();
  const target = useWatched(alert);
  const name = alert.name ?? target.label;
  return (
    <Table.Tr>
      <Table.Td>
        <StateBadge state={alert.state} />
        {alert.silenced ? (
          <Text size="xs" c="dimmed">
            silenced until {instantText(alert.silenced.until)}
          </Text>
        ) : null}
        <NotificationState alert={alert} />
      </Table.Td>
      <Table.Td className="long-text">
        <AnchorLink to="/alerts/$alertId" params={{ alertId: alert.id }} size="sm" fw={600}>
          {name}
        </AnchorLink>
      </Table.Td>
      <Table.Td visibleFrom="sm" className="long-text">
        <AnchorLink {...target.link} size="sm">
          {target.label}
        </AnchorLink>
      </Table.Td>
      <Table.Td visibleFrom="sm">{limitText(alert, target.numberFormat)}</Table.Td>
      <Table.Td visibleFrom="sm">{alert.interval}</Table.Td>
      <Table.Td visibleFrom="sm">
        <LastValue alert={alert} numberFormat={target.numberFormat} />
      </Table.Td>
      <Table.Td visibleFrom="sm" className="long-text">
        {alert.channels.map(({ webhookId }) => webhookName(webhookId)).join(', ')}
      </Table.Td>
      <Table.Td>
        <Switch
          size="sm"
          aria-label={`Enable ${name}`}
          checked={alert.enabled !== false}
          disabled={enable.isPending}
          onChange={(event) =>
            enable.mutate({ id: alert.id, enabled: event.currentTarget.checked }, { onError: showFailure })
          }
        />
      </Table.Td>
    </Table.Tr>
  );
}

/** Of a grouped alert: that of the group which decided the state. */
function LastValue({ alert, numberFormat }: { alert: AlertRecord; numberFormat: NumberFormat | undefined }) {
  const [last] = useQuery(historyQuery(alert.id, 1)).data ?? [];
  const group = last && decidingGroup(last, alert);
  return <>{valueText(group?.value, numberFormat, alert)}</>;
}
