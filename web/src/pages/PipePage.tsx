import { Button, Skeleton, Stack, Table } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { servicePath } from '../features/organizations/organization-queries.ts';
import { DetailPanel } from '../features/pipes/DetailPanel.tsx';
import { PipeState } from '../features/pipes/PipeState.tsx';
import { usePipe } from '../features/pipes/pipe-queries.ts';
import { CopyableId } from '../ui/CopyableId.tsx';
import { ErrorNotice } from '../ui/ErrorNotice.tsx';
import { Page } from '../ui/Page.tsx';
import { Panel } from '../ui/Panel.tsx';

interface PipeParams {
  organizationId?: string;
  serviceId?: string;
  pipeId?: string;
}

/** A pipe: its state and how it is set up. */
export function PipePage() {
  const { organizationId = '', serviceId = '', pipeId = '' }: PipeParams = useParams({ strict: false });
  const pipe = usePipe(servicePath(organizationId, serviceId), pipeId);
  const refresh = (
    <Button
      variant="default"
      leftSection={<IconRefresh size={14} />}
      loading={pipe.isFetching}
      onClick={() => pipe.refetch()}
    >
      Refresh
    </Button>
  );
  return (
    <Page title={pipe.data?.name ?? 'Pipe'} actions={refresh}>
      <Stack gap={16}>
        {pipe.error ? <ErrorNotice error={pipe.error} /> : null}
        {pipe.isPending ? <Skeleton h={160} /> : null}
        {pipe.data ? (
          <>
            <Panel title="State" actions={<PipeState state={pipe.data.state} />}>
              <Stack gap={8}>
                <CopyableId label="Pipe id" value={pipe.data.id} />
                <CopyableId label="Service id" value={pipe.data.serviceId} />
              </Stack>
            </Panel>
            <DetailPanel title="Source" value={pipe.data.source} />
            <DetailPanel title="Destination" value={pipe.data.destination} />
            <FieldMappings mappings={pipe.data.fieldMappings ?? []} />
            <DetailPanel title="Scaling" value={pipe.data.scaling} />
            <DetailPanel title="Settings" value={pipe.data.settings} />
          </>
        ) : null}
      </Stack>
    </Page>
  );
}

function FieldMappings({ mappings }: { mappings: { sourceField: string; destinationField: string }[] }) {
  if (mappings.length === 0) return null;
  return (
    <Panel title="Field mappings">
      <Table aria-label="Field mappings" layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="42%">Field of the source</Table.Th>
            <Table.Th>Column of the table</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody ff="monospace">
          {mappings.map(({ sourceField, destinationField }) => (
            <Table.Tr key={`${sourceField} ${destinationField}`}>
              <Table.Td>{sourceField}</Table.Td>
              <Table.Td>{destinationField}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  );
}
