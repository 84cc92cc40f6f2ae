import { Button, Checkbox, Switch, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AlertRecord } from '../../../../src/contract/alert.ts';
import type { NumberFormat } from '../../../../src/contract/number-format.ts';
import { instantText } from '../../ui/instant-text.ts';
import { AnchorLink } from '../../ui/links.tsx';
import { showDone, showFailure } from '../../ui/notify.ts';
import { AcknowledgedBy } from './AcknowledgedBy.tsx';
import { limitText, valueText } from './alert-labels.ts';
import { historyQuery, useEnableAlert, useMarkAlert } from './alert-queries.ts';
import { decidingGroup } from './deciding-group.ts';
import { NotificationState } from './NotificationState.tsx';
import { StateBadge } from './StateBadge.tsx';
import { needsOwner } from './sort-alerts.ts';
import { useWatched } from './use-watched.ts';
import { useWatchedNames } from './use-watched-names.ts';

interface AlertTableProps {
  alerts: readonly AlertRecord[];
  /** Ids. */
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
}

/** On a telephone without what the alert's own page says. */
export function AlertTable({ alerts, chosen, onChoose }: AlertTableProps) {
  const all = alerts.length > 0 && alerts.every(({ id }) => chosen.has(id));
  const some = alerts.some(({ id }) => chosen.has(id));
  const choose = (id: string, isChosen: boolean) => {
    const next = new Set(chosen);
    if (isChosen) next.add(id);
    else next.delete(id);
    onChoose(next);
  };
  return (
    <Table.ScrollContainer minWidth={300} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table highlightOnHover aria-label="Alerts">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={28}>
              <Checkbox
                aria-label="Choose all on this page"
                checked={all}
                indeterminate={some && !all}
                onChange={() => onChoose(all ? new Set() : new Set(alerts.map(({ id }) => id)))}
              />
            </Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th>Name</Table.Th>
            <Table.Th visibleFrom="sm">Watches</Table.Th>
            <Table.Th visibleFrom="sm">Threshold</Table.Th>
            <Table.Th visibleFrom="sm">Interval</Table.Th>
            <Table.Th visibleFrom="sm">Last value</Table.Th>
            <Table.Th visibleFrom="sm">Channels</Table.Th>
            <Table.Th visibleFrom="sm">Enabled</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {alerts.map((alert) => (
            <AlertRow
              key={alert.id}
              alert={alert}
              isChosen={chosen.has(alert.id)}
              onChoose={(isChosen) => choose(alert.id, isChosen)}
            />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

interface AlertRowProps {
  alert: AlertRecord;
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
}

function AlertRow({ alert, isChosen, onChoose }: AlertRowProps) {
  const { webhookName } = useWatchedNames();
  const enable = useEnableAlert();
  const target = useWatched(alert);
  const name = alert.name ?? target.label;
  return (
    <Table.Tr>
      <Table.Td>
        <Checkbox
          aria-label={`Choose ${name}`}
          checked={isChosen}
          onChange={(event) => onChoose(event.currentTarget.checked)}
        />
      </Table.Td>
      <Table.Td>
        <StateBadge state={alert.state} />
        {alert.firingSince ? (
          <Text size="xs" c="dimmed">
            since {instantText(alert.firingSince)}
          </Text>
        ) : null}
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
        {alert.acknowledged ? <AcknowledgedBy acknowledged={alert.acknowledged} size="xs" /> : null}
        {needsOwner(alert) ? <AcknowledgeButton alert={alert} name={name} /> : null}
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
      <Table.Td visibleFrom="sm">
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

function AcknowledgeButton({ alert, name }: { alert: AlertRecord; name: string }) {
  const change = useMarkAlert(alert.id);
  return (
    <div>
      <Button
        size="compact-sm"
        variant="light"
        mt={4}
        aria-label={`Acknowledge ${name}`}
        loading={change.isPending}
        onClick={() =>
          change.mutate(
            { mark: 'acknowledged', body: {} },
            { onSuccess: () => showDone('Alert acknowledged.'), onError: showFailure },
          )
        }
      >
        Acknowledge
      </Button>
    </div>
  );
}

/** Of a grouped alert: that of the group which decided the state. */
function LastValue({ alert, numberFormat }: { alert: AlertRecord; numberFormat: NumberFormat | undefined }) {
  const [last] = useQuery(historyQuery(alert.id, 1)).data ?? [];
  const group = last && decidingGroup(last, alert);
  return <>{valueText(group?.value, numberFormat, alert)}</>;
}
