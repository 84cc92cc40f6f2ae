import { Alert, Box, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { AlertRecord } from '../../../src/contract/alert.ts';
import { curlCommand } from '../api/curl-command.ts';
import { AcknowledgedBy } from '../features/alerts/AcknowledgedBy.tsx';
import { AlertHistory } from '../features/alerts/AlertHistory.tsx';
import { AlertMarks } from '../features/alerts/AlertMarks.tsx';
import { bodyOfAlert } from '../features/alerts/alert-body.ts';
import { durationText, ruleText } from '../features/alerts/alert-labels.ts';
import { alertQuery, trendsQuery } from '../features/alerts/alert-queries.ts';
import { DeleteAlert } from '../features/alerts/DeleteAlert.tsx';
import { DeliveryLog } from '../features/alerts/DeliveryLog.tsx';
import { NotificationState } from '../features/alerts/NotificationState.tsx';
import { StateBadge } from '../features/alerts/StateBadge.tsx';
import { useWatched } from '../features/alerts/use-watched.ts';
import { useWatchedNames } from '../features/alerts/use-watched-names.ts';
import { CopyCurl } from '../ui/CopyCurl.tsx';
import { ErrorNotice } from '../ui/ErrorNotice.tsx';
import { instantText, withLocalTimes } from '../ui/instant-text.ts';
import { AnchorLink, ButtonLink } from '../ui/links.tsx';
import { Markdown } from '../ui/Markdown.tsx';
import { Page } from '../ui/Page.tsx';
import { Panel } from '../ui/Panel.tsx';
import { plainProblem } from '../ui/plain-problem.ts';

/** One alert: its state now, its rule, what happened and its notifications. */
export function AlertPage() {
  const { alertId = '' } = useParams({ strict: false });
  const { data, error, refetch, dataUpdatedAt } = useQuery(alertQuery(alertId));
  if (data) return <Loaded alert={data} atMs={dataUpdatedAt} error={error} />;
  return (
    <Page title="Alert">
      {error ? <ErrorNotice error={error} onRetry={() => void refetch()} /> : <Skeleton height={320} />}
    </Page>
  );
}

interface LoadedProps {
  alert: AlertRecord;
  /** When it was read, Unix ms. */
  atMs: number;
  error: Error | null;
}

function Loaded({ alert, atMs, error }: LoadedProps) {
  const { webhookName } = useWatchedNames();
  const target = useWatched(alert);
  const trend = useQuery(trendsQuery([alert.id])).data?.get(alert.id);
  const name = alert.name ?? target.label;
  const actions = (
    <>
      <AlertMarks alert={alert} />
      <Box visibleFrom="sm">
        <CopyCurl value={curlCommand('PUT', `alerts/${alert.id}`, bodyOfAlert(alert))} framed />
      </Box>
      <ButtonLink variant="default" to="/alerts/$alertId/edit" params={{ alertId: alert.id }}>
        Edit
      </ButtonLink>
      <DeleteAlert id={alert.id} name={name} />
    </>
  );
  return (
    <Page title={name} actions={actions}>
      <Stack gap={16}>
        {error ? <ErrorNotice error={error} /> : null}
        <Panel>
          <Stack gap={6}>
            <Group role="status">
              <StateBadge state={alert.state} />
              {alert.silenced ? <Text size="sm">Silenced until {instantText(alert.silenced.until)}</Text> : null}
              {alert.firingSince ? <Text size="sm">{sinceText(alert.firingSince, atMs)}</Text> : null}
              {alert.acknowledged ? <AcknowledgedBy acknowledged={alert.acknowledged} size="sm" /> : null}
            </Group>
            <NotificationState alert={alert} trend={trend} />
            <Text size="sm">{ruleText(alert, target.numberFormat)}</Text>
            <Text size="sm">
              Watches{' '}
              <AnchorLink {...target.link} size="sm" underline="always">
                {target.label}
              </AnchorLink>
              {target.series ? `, series ${target.series}` : ''}, notifies{' '}
              {alert.channels.map(({ webhookId }) => webhookName(webhookId)).join(', ') || 'no one'}.
            </Text>
          </Stack>
        </Panel>
        <Instructions alert={alert} />
        <ExecutionErrors errors={alert.executionErrors ?? []} />
        <AlertHistory alert={alert} />
        <DeliveryLog alertId={alert.id} />
      </Stack>
    </Page>
  );
}

/** `since 2026-01-31 14:05, for 2 h`. */
function sinceText(firingSince: string, atMs: number): string {
  const lastsMs = Math.max(0, atMs - Date.parse(firingSince));
  return `since ${instantText(firingSince)}, for ${durationText(lastsMs)}`;
}

/** What the author wants the person on call to know: the text of the message, and the note with its links. */
function Instructions({ alert: { message, note } }: { alert: AlertRecord }) {
  if (!message && !note) return null;
  return (
    <Panel title="What to do">
      <Stack gap={8}>
        {message ? (
          <Text size="sm" className="long-text" style={{ whiteSpace: 'pre-wrap' }}>
            {message}
          </Text>
        ) : null}
        {note ? (
          <Text size="sm" component="div" className="long-text">
            <Markdown text={note} />
          </Text>
        ) : null}
      </Stack>
    </Panel>
  );
}

function ExecutionErrors({ errors }: { errors: NonNullable<AlertRecord['executionErrors']> }) {
  if (errors.length === 0) return null;
  return (
    <Alert color="red" variant="light" title="Execution errors" role="alert">
      {errors.map(({ timestamp, type, message }) => (
        <Text size="sm" key={`${timestamp} ${type} ${message}`}>
          {instantText(timestamp)} · {type} · {withLocalTimes(plainProblem(message))}
        </Text>
      ))}
    </Alert>
  );
}
