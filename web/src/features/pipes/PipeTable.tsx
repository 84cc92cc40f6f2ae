import { Table } from '@mantine/core';
import type { Pipe } from '../../../../src/contract/pipe.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { AnchorLink } from '../../ui/links.tsx';
import { RowSkeleton } from '../../ui/RowSkeleton.tsx';
import { PipeState } from './PipeState.tsx';
import { kindNames } from './pipe-document.ts';
import { countText, lagText, successText } from './pipe-figures.ts';
import { usePipeSummaries } from './pipe-queries.ts';

export interface PipeTableProps {
  service: string;
  /** Absent while they are read. */
  pipes: readonly Pipe[] | undefined;
}

/** The pipes of a service. */
export function PipeTable({ service, pipes }: PipeTableProps) {
  const summaries = usePipeSummaries(service);
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
          {pipes ? null : <RowSkeleton rows={3} columns={['base', 'sm', 'base', 'base', 'sm', 'sm']} />}
          {pipes?.map(({ id, name, state, source }) => {
            const summary = summaries.data?.get(id);
            return (
              <Table.Tr key={id}>
                <Table.Td className="long-text">
                  <AnchorLink to="/pipes/$pipeId" params={{ pipeId: id }} size="sm">
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
