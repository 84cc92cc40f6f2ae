import { Skeleton, Table } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { Pipe } from '../../../../src/contract/pipe.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { AnchorLink, ButtonLink } from '../../ui/links.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { servicePath } from '../organizations/organization-queries.ts';
import { PipeState } from './PipeState.tsx';
import { kindNames } from './pipe-document.ts';
import { countText, lagText, successText } from './pipe-figures.ts';
import { usePipeSummaries, usePipes } from './pipe-queries.ts';

export interface PipeTableProps {
  organizationId: string;
  serviceId: string;
}

/** The pipes of a service. */
export function PipeTable({ organizationId, serviceId }: PipeTableProps) {
  const pipes = usePipes(servicePath(organizationId, serviceId));
  const newPipe = (
    <ButtonLink
      variant="default"
      leftSection={<IconPlus size={14} />}
      to="/organizations/$organizationId/services/$serviceId/pipes/new"
      params={{ organizationId, serviceId }}
    >
      New pipe
    </ButtonLink>
  );
  return (
    <Panel title="Pipes" description="They import data from other systems." actions={newPipe}>
      {pipes.error ? <ErrorNotice error={pipes.error} onRetry={pipes.refetch} /> : null}
      {pipes.isPending ? <Skeleton h={80} /> : null}
      {pipes.data?.length === 0 ? (
        <EmptyState
          title="No pipes"
          hint="A pipe copies rows of files, topics, streams or tables into a table of this service, and follows what is new."
        />
      ) : null}
      {pipes.data && pipes.data.length > 0 ? (
        <Rows organizationId={organizationId} serviceId={serviceId} pipes={pipes.data} />
      ) : null}
    </Panel>
  );
}

function Rows({ organizationId, serviceId, pipes }: PipeTableProps & { pipes: readonly Pipe[] }) {
  const summaries = usePipeSummaries(servicePath(organizationId, serviceId));
  return (
    <>
      {summaries.error ? <ErrorNotice error={summaries.error} onRetry={summaries.refetch} /> : null}
      <Table aria-label="Pipes">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th visibleFrom="sm">Source</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th ta="right">Rows</Table.Th>
            <Table.Th ta="right" visibleFrom="sm">
              Lag
            </Table.Th>
            <Table.Th visibleFrom="sm">Last success</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {pipes.map(({ id, name, state, source }) => {
            const summary = summaries.data?.get(id);
            return (
              <Table.Tr key={id}>
                <Table.Td className="long-text">
                  <AnchorLink
                    to="/organizations/$organizationId/services/$serviceId/pipes/$pipeId"
                    params={{ organizationId, serviceId, pipeId: id }}
                    size="sm"
                  >
                    {name}
                  </AnchorLink>
                </Table.Td>
                <Table.Td visibleFrom="sm">{kindsOf(source)}</Table.Td>
                <Table.Td>
                  <PipeState state={summary?.state ?? state} />
                </Table.Td>
                <Table.Td ta="right">{summary ? countText(summary.rows) : ''}</Table.Td>
                <Table.Td ta="right" visibleFrom="sm">
                  {summary ? lagText(summary) : ''}
                </Table.Td>
                <Table.Td visibleFrom="sm">{summary ? successText(summary) : ''}</Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </>
  );
}

const names = new Map<string, string>(Object.entries(kindNames));

function kindsOf(source: object | undefined): string {
  const kinds = Object.keys(source ?? {});
  return kinds.map((kind) => names.get(kind) ?? kind).join(', ') || '–';
}
