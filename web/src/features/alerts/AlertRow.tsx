import { Button, Checkbox, Switch, Table, Text } from '@mantine/core';
import type { AlertRecord } from '../../../../src/contract/alert.ts';
import type { AlertTrendRecord } from '../../../../src/contract/alert-trend.ts';
import { instantText } from '../../ui/instant-text.ts';
import { AnchorLink } from '../../ui/links.tsx';
import { showDone, showFailure } from '../../ui/notify.ts';
import { AcknowledgedBy } from './AcknowledgedBy.tsx';
import classes from './AlertTable.module.css';
import { AlertTrend } from './AlertTrend.tsx';
import { durationText, limitText } from './alert-labels.ts';
import { useEnableAlert, useMarkAlert } from './alert-queries.ts';
import { NotificationState } from './NotificationState.tsx';
import { StateBadge } from './StateBadge.tsx';
import { needsOwner } from './sort-alerts.ts';
import { useWatched } from './use-watched.ts';
import { useWatchedNames } from './use-watched-names.ts';

interface AlertRowProps {
  alert: AlertRecord;
  /** When it was read, Unix ms. */
  atMs: number;
  /** Absent while it is read. */
  trend: AlertTrendRecord | undefined;
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
}

export function AlertRow({ alert, atMs, trend, isChosen, onChoose }: AlertRowProps) {
  const { webhookName } = useWatchedNames();
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
        <Text size="xs" c="dimmed" component="div" hiddenFrom="sm">
          <FiringFor alert={alert} atMs={atMs} />
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm" className={classes.since ?? ''}>
        <FiringFor alert={alert} atMs={atMs} />
      </Table.Td>
      <Table.Td>
        <div className={classes.named}>
          <div className={classes.name}>
            <AnchorLink
              to="/alerts/$alertId"
              params={{ alertId: alert.id }}
              fz={13}
              fw={600}
              title={name}
              className={classes.label ?? ''}
            >
              {name}
            </AnchorLink>
            <Details alert={alert} trend={trend} />
          </div>
          {needsOwner(alert) ? <AcknowledgeButton alert={alert} name={name} /> : null}
        </div>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <AnchorLink {...target.link} fz={13} title={target.label} className={classes.label ?? ''}>
          {target.label}
        </AnchorLink>
      </Table.Td>
      <Table.Td visibleFrom="sm" className="long-text">
        <div>{limitText(alert, target.numberFormat)}</div>
        <Text size="xs" c="dimmed">
          in {alert.interval}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <AlertTrend alert={alert} numberFormat={target.numberFormat} trend={trend} />
      </Table.Td>
      <Table.Td visibleFrom="lg" className="long-text">
        {alert.channels.map(({ webhookId }) => webhookName(webhookId)).join(', ')}
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <EnableSwitch alert={alert} name={name} />
      </Table.Td>
    </Table.Tr>
  );
}

function FiringFor({ alert: { firingSince }, atMs }: Pick<AlertRowProps, 'alert' | 'atMs'>) {
  if (!firingSince) return null;
  return (
    <time dateTime={firingSince} title={`Since ${instantText(firingSince)}`}>
      {durationText(Math.max(0, atMs - Date.parse(firingSince)))}
    </time>
  );
}

/** What was said of the alert, and what became of its messages: a line each. */
function Details({ alert, trend }: Pick<AlertRowProps, 'alert' | 'trend'>) {
  return (
    <div className={classes.details}>
      {alert.acknowledged ? <AcknowledgedBy acknowledged={alert.acknowledged} size="xs" /> : null}
      {alert.silenced ? (
        <Text size="xs" c="dimmed">
          Silenced until {instantText(alert.silenced.until)}
        </Text>
      ) : null}
      <NotificationState alert={alert} trend={trend} />
    </div>
  );
}

function EnableSwitch({ alert, name }: { alert: AlertRecord; name: string }) {
  const enable = useEnableAlert();
  return (
    <Switch
      size="sm"
      aria-label={`Enable ${name}`}
      checked={alert.enabled !== false}
      disabled={enable.isPending}
      onChange={(event) =>
        enable.mutate({ id: alert.id, enabled: event.currentTarget.checked }, { onError: showFailure })
      }
    />
  );
}

function AcknowledgeButton({ alert, name }: { alert: AlertRecord; name: string }) {
  const change = useMarkAlert(alert.id);
  return (
    <Button
      size="compact-xs"
      variant="default"
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
  );
}
