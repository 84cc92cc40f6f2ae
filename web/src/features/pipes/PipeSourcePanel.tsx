import { Group, Select, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { apiUrl } from '../../api/client.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { AnchorLink } from '../../ui/links.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { Snippet } from '../../ui/Snippet.tsx';
import { PipeSourceDialog } from './PipeSourceDialog.tsx';
import { usePipeSource } from './pipe-queries.ts';

/** Makes a source of a table of the pipe, so that dashboards and alerts can read it. */
export function PipeSourcePanel({ service, pipeId }: { service: string; pipeId: string }) {
  const [table, setTable] = useState<string>();
  const [opened, { open, close }] = useDisclosure();
  const { data: proposal, error, refetch } = usePipeSource(service, pipeId, table);
  return (
    <Panel title="Source" description="Dashboards and alerts read tables through sources.">
      {error ? <ErrorNotice error={error} onRetry={refetch} /> : null}
      {proposal ? (
        <Stack gap={10}>
          {proposal.tables.length > 1 ? (
            <Select
              label="Table"
              maw={320}
              allowDeselect={false}
              data={proposal.tables}
              value={proposal.table}
              onChange={(next) => next && setTable(next)}
            />
          ) : null}
          {proposal.sources.map(({ id, name }) => (
            <Text key={id} size="sm" className="long-text">
              {proposal.table} is read by the source “
              <AnchorLink to="/sources/$sourceId" params={{ sourceId: id }} size="sm">
                {name}
              </AnchorLink>
              ” ({id}).
            </Text>
          ))}
          {proposal.sources.length > 0 ? (
            <Snippet
              text={`curl -u "$KEY_ID:$KEY_SECRET" ${apiUrl(`${service}/stack/sources`)}`}
              label="curl line"
              caption="Sources, with the ids that tiles and saved searches name"
            />
          ) : null}
          <Group gap={8}>
            <ReasonedButton variant="default" reason={proposal.reason} onClick={open}>
              {proposal.sources.length > 0 ? 'Make another source' : 'Make it a source'}
            </ReasonedButton>
          </Group>
          {proposal.source ? (
            <PipeSourceDialog
              key={proposal.table}
              opened={opened}
              onClose={close}
              proposal={proposal}
              service={service}
              pipeId={pipeId}
            />
          ) : null}
        </Stack>
      ) : null}
    </Panel>
  );
}
