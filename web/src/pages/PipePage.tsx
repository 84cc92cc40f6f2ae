import { Button, Skeleton, Stack, Table } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { ownService } from '../features/organizations/own-service.ts';
import { DeletePipe } from '../features/pipes/DeletePipe.tsx';
import { DetailPanel } from '../features/pipes/DetailPanel.tsx';
import { PipeCrumbs } from '../features/pipes/PipeCrumbs.tsx';
import { PipeErrors } from '../features/pipes/PipeErrors.tsx';
import { PipeHistory } from '../features/pipes/PipeHistory.tsx';
import { PipeSourcePanel } from '../features/pipes/PipeSourcePanel.tsx';
import { PipeStatePanel } from '../features/pipes/PipeStatePanel.tsx';
import { usePipe, usePipeStatus } from '../features/pipes/pipe-queries.ts';
import { ErrorNotice } from '../ui/ErrorNotice.tsx';
import { ButtonLink } from '../ui/links.tsx';
import { Page } from '../ui/Page.tsx';
import { Panel } from '../ui/Panel.tsx';

/** A pipe: how it is doing, what it rejected, its source, and how it is set up. */
export function PipePage() {
  const { pipeId = '' } = useParams({ strict: false });
  const { path } = ownService();
  const pipe = usePipe(path, pipeId);
  const status = usePipeStatus(path, pipeId);
  const actions = (
    <>
      <Button
        variant="default"
        leftSection={<IconRefresh size={14} />}
        loading={pipe.isRefetching}
        onClick={() => Promise.all([pipe.refetch(), status.refetch()])}
      >
        Refresh
      </Button>
      {pipe.data ? (
        <>
          <ButtonLink variant="default" to="/pipes/$pipeId/edit" params={{ pipeId }}>
            Edit
          </ButtonLink>
          <DeletePipe pipe={pipe.data} service={path} />
        </>
      ) : null}
    </>
  );
  return (
    <Page title={pipe.data?.name ?? 'Pipe'} crumbs={<PipeCrumbs />} actions={actions}>
      <Stack gap={16}>
        {pipe.error ? <ErrorNotice error={pipe.error} /> : null}
        {pipe.data && status.error ? <ErrorNotice error={status.error} onRetry={status.refetch} /> : null}
        {pipe.isPending || (pipe.data && status.isPending) ? <Skeleton h={160} /> : null}
        {pipe.data && status.data ? (
          <>
            <PipeStatePanel pipe={pipe.data} status={status.data} service={path} />
            <PipeErrors service={path} pipeId={pipeId} count={status.data.errors} />
            <PipeHistory changes={status.data.changes} />
            <PipeSourcePanel service={path} pipeId={pipeId} />
          </>
        ) : null}
        {pipe.data ? (
          <>
            <DetailPanel title="Reads from" value={pipe.data.source} />
            <DetailPanel title="Writes to" value={withoutColumns(pipe.data.destination)} />
            <Columns columns={pipe.data.destination?.columns ?? []} />
            <FieldMappings mappings={pipe.data.fieldMappings ?? []} />
            <DetailPanel title="Scaling" value={pipe.data.scaling} />
            <DetailPanel title="Settings" value={pipe.data.settings} />
          </>
        ) : null}
      </Stack>
    </Page>
  );
}

/** They have a separate table. */
function withoutColumns<T extends object>(destination: T | undefined): T | undefined {
  return destination ? { ...destination, columns: undefined } : undefined;
}

function Columns({ columns }: { columns: readonly { name: string; type: string }[] }) {
  return <PairPanel title="Columns" heads={['Name', 'Type']} pairs={columns.map(({ name, type }) => [name, type])} />;
}

function FieldMappings({ mappings }: { mappings: { sourceField: string; destinationField: string }[] }) {
  const pairs = mappings.map(({ sourceField, destinationField }) => [sourceField, destinationField] as const);
  return <PairPanel title="Field mappings" heads={['Field of the source', 'Column of the table']} pairs={pairs} />;
}

interface PairPanelProps {
  title: string;
  heads: readonly [string, string];
  pairs: readonly (readonly [string, string])[];
}

function PairPanel({ title, heads, pairs }: PairPanelProps) {
  if (pairs.length === 0) return null;
  return (
    <Panel title={title}>
      <Table aria-label={title} layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="42%">{heads[0]}</Table.Th>
            <Table.Th>{heads[1]}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          {pairs.map(([left, right]) => (
            <Table.Tr key={`${left} ${right}`}>
              <Table.Td>{left}</Table.Td>
              <Table.Td>{right}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  );
}
