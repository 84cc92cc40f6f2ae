import { Button, Group, Skeleton, Stack, Table, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useSession } from '../../api/session.ts';
import { CopyableId } from '../../ui/CopyableId.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { showDone } from '../../ui/notify.ts';
import { Panel } from '../../ui/Panel.tsx';
import { Snippet } from '../../ui/Snippet.tsx';
import { useRetention, useTeam, useTeamChanges } from './team-queries.ts';

/** The team's name, and the ids that API calls and tickets ask for. */
export function TeamPanel() {
  const team = useTeam();
  const user = useSession()?.user;
  if (team.error) return <ErrorNotice error={team.error} onRetry={team.refetch} />;
  if (!team.data) return <Skeleton h={120} />;
  return (
    <Panel title="Team">
      <Stack gap={12}>
        <NameForm key={team.data.name} name={team.data.name} />
        <CopyableId label="Team id" value={team.data.id} />
        {user ? <CopyableId label="Your user id" value={user.id} /> : null}
      </Stack>
    </Panel>
  );
}

function NameForm({ name }: { name: string }) {
  const { rename } = useTeamChanges();
  const [draft, setDraft] = useState(name);
  const save = () => rename.mutate(draft, { onSuccess: () => showDone('Team renamed.') });
  return (
    <>
      {rename.error ? <ErrorNotice error={rename.error} /> : null}
      <Group align="flex-end">
        <TextInput
          label="Name"
          value={draft}
          maxLength={256}
          onChange={(event) => setDraft(event.currentTarget.value)}
        />
        <Button size="sm" disabled={draft === name || draft === ''} loading={rename.isPending} onClick={save}>
          Rename
        </Button>
      </Group>
    </>
  );
}

/** How long telemetry stays, which the operator of the program decides. */
export function RetentionPanel() {
  const retention = useRetention();
  if (retention.error) return <ErrorNotice error={retention.error} onRetry={retention.refetch} />;
  if (!retention.data) return <Skeleton h={120} />;
  const { logsDays, tracesDays, metricsDays } = retention.data;
  const settings = `SIGNALBOX_RETENTION_DAYS_LOGS=${logsDays}\nSIGNALBOX_RETENTION_DAYS_TRACES=${tracesDays}\nSIGNALBOX_RETENTION_DAYS_METRICS=${metricsDays}`;
  return (
    <Panel title="Retention" description="Telemetry older than this is deleted.">
      <Stack gap={12}>
        <Table aria-label="Retention" maw={320}>
          <Table.Tbody>
            {Object.entries({ Logs: logsDays, Traces: tracesDays, Metrics: metricsDays }).map(([signal, days]) => (
              <Table.Tr key={signal}>
                <Table.Td>{signal}</Table.Td>
                <Table.Td align="right">{days === 1 ? '1 day' : `${days} days`}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Text size="sm">To change it, start Signalbox with other values of these variables:</Text>
        <Snippet text={settings} label="retention settings" />
      </Stack>
    </Panel>
  );
}
