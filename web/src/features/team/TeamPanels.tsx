import { Group, Select, Skeleton, Stack, Table, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useSession } from '../../api/session.ts';
import { CopyableId } from '../../ui/CopyableId.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { knownZones } from '../../ui/known-zones.ts';
import { showDone } from '../../ui/notify.ts';
import { Panel } from '../../ui/Panel.tsx';
import { ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { Snippet } from '../../ui/Snippet.tsx';
import { useRetention, useTeam, useTeamChanges } from './team-queries.ts';

/** The team's name and time zone, and the ids that API calls and tickets ask for. */
export function TeamPanel() {
  const team = useTeam();
  const user = useSession()?.user;
  if (team.error) return <ErrorNotice error={team.error} onRetry={team.refetch} />;
  if (!team.data) return <Skeleton h={120} />;
  return (
    <Panel title="Team">
      <Stack gap={12}>
        <NameForm key={team.data.name} name={team.data.name} />
        <TimeZoneSelect timezone={team.data.timezone} />
        <CopyableId label="Team id" value={team.data.id} />
        {user ? <CopyableId label="Your user id" value={user.id} /> : null}
      </Stack>
    </Panel>
  );
}

function NameForm({ name }: { name: string }) {
  const { update } = useTeamChanges();
  const [draft, setDraft] = useState(name);
  const save = () => update.mutate({ name: draft }, { onSuccess: () => showDone('Team renamed.') });
  return (
    <>
      {update.error ? <ErrorNotice error={update.error} /> : null}
      <Group align="flex-end">
        <TextInput
          label="Name"
          value={draft}
          maxLength={256}
          onChange={(event) => setDraft(event.currentTarget.value)}
        />
        <ReasonedButton reason={renameReason(draft, name)} loading={update.isPending} onClick={save}>
          Rename
        </ReasonedButton>
      </Group>
    </>
  );
}

function renameReason(draft: string, name: string): string | undefined {
  if (draft === '') return 'Enter a name.';
  return draft === name ? 'The name has not changed.' : undefined;
}

/** Of messages: no browser says where they are read. */
function TimeZoneSelect({ timezone }: { timezone: string }) {
  const { update } = useTeamChanges();
  const change = (value: string | null) => {
    if (value !== null && value !== timezone)
      update.mutate({ timezone: value }, { onSuccess: () => showDone('Time zone changed.') });
  };
  return (
    <>
      {update.error ? <ErrorNotice error={update.error} /> : null}
      <Select
        label="Time zone of notifications"
        description="Messages to webhooks write times in this zone. The zone of these pages is chosen at the foot of the navigation."
        value={timezone}
        data={zonesWith(timezone)}
        searchable
        limit={60}
        allowDeselect={false}
        disabled={update.isPending}
        onChange={change}
        maw={420}
      />
    </>
  );
}

function zonesWith(chosen: string): string[] {
  return [...new Set([...knownZones(), chosen])];
}

/** How long telemetry stays: a setting of the program, for all teams, so it is shown and not edited here. */
export function RetentionPanel() {
  const retention = useRetention();
  if (retention.error) return <ErrorNotice error={retention.error} onRetry={retention.refetch} />;
  if (!retention.data) return <Skeleton h={120} />;
  const { logsDays, tracesDays, metricsDays } = retention.data;
  const kept = [
    { signal: 'Logs', days: logsDays, variable: 'SIGNALBOX_RETENTION_DAYS_LOGS' },
    { signal: 'Traces', days: tracesDays, variable: 'SIGNALBOX_RETENTION_DAYS_TRACES' },
    { signal: 'Metrics', days: metricsDays, variable: 'SIGNALBOX_RETENTION_DAYS_METRICS' },
  ];
  return (
    <Panel
      title="Retention"
      description="Telemetry older than this is deleted. The retention is set for the whole program and can’t be changed here."
    >
      <Stack gap={12}>
        <Table.ScrollContainer minWidth={260} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
          <Table aria-label="Retention" maw={560}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Signal</Table.Th>
                <Table.Th>Kept for</Table.Th>
                <Table.Th visibleFrom="sm">Setting</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {kept.map(({ signal, days, variable }) => (
                <Table.Tr key={signal}>
                  <Table.Td>{signal}</Table.Td>
                  <Table.Td>{days === 1 ? '1 day' : `${days} days`}</Table.Td>
                  <Table.Td visibleFrom="sm" ff="monospace" fz="xs">
                    {variable}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
        <Text size="sm">
          To change the retention, the operator sets these environment variables to other numbers of days and restarts
          Signalbox. This also applies to data that is already stored.
        </Text>
        <Snippet text={kept.map(({ days, variable }) => `${variable}=${days}`).join('\n')} label="retention settings" />
      </Stack>
    </Panel>
  );
}
