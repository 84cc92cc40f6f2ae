import { Anchor, Skeleton, Table } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Pipe } from '../../../../src/contract/pipe.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { PipeState } from './PipeState.tsx';
import { usePipes } from './pipe-queries.ts';

/** The pipes of a service; `service` is its path below the API's prefix. */
export function PipeTable({ service }: { service: string }) {
  const pipes = usePipes(service);
  return (
    <Panel title="Pipes" description="They import data from other systems.">
      {pipes.error ? <ErrorNotice error={pipes.error} onRetry={pipes.refetch} /> : null}
      {pipes.isPending ? <Skeleton h={80} /> : null}
      {pipes.data?.length === 0 ? (
        <EmptyState title="No pipes" hint="Pipes are provisioned by the operator of this installation." />
      ) : null}
      {pipes.data && pipes.data.length > 0 ? <Rows service={service} pipes={pipes.data} /> : null}
    </Panel>
  );
}

function Rows({ service, pipes }: { service: string; pipes: readonly Pipe[] }) {
  return (
    <Table aria-label="Pipes">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th>Source</Table.Th>
          <Table.Th>State</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {pipes.map(({ id, name, state, source }) => (
          <Table.Tr key={id}>
            <Table.Td className="long-text">
              <Anchor component={Link} to={`/${service}/pipes/${id}`} size="sm">
                {name}
              </Anchor>
            </Table.Td>
            <Table.Td>{kindsOf(source)}</Table.Td>
            <Table.Td>
              <PipeState state={state} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

const kindNames: Record<string, string> = {
  kafka: 'Kafka',
  kinesis: 'Kinesis',
  objectStorage: 'Object storage',
  postgres: 'PostgreSQL',
};

function kindsOf(source: object | undefined): string {
  const kinds = Object.keys(source ?? {});
  return kinds.map((kind) => kindNames[kind] ?? kind).join(', ') || '–';
}
