import { Badge, Table, Text } from '@mantine/core';
import type { ConnectionRecord } from '../../../../src/contract/connection.ts';
import { AnchorLink } from '../../ui/links.tsx';
import { RowSkeleton } from '../../ui/RowSkeleton.tsx';
import type { SourceRecord } from '../where-editor/source-queries.ts';
import { kindLabels } from './source-draft.ts';

export interface SourceTableProps {
  /** Absent while they are read. */
  sources: readonly SourceRecord[] | undefined;
  connections: readonly ConnectionRecord[];
}

/** Sources by name: what they hold and where they read. */
export function SourceTable({ sources, connections }: SourceTableProps) {
  const sorted = sources?.toSorted((a, b) => a.name.localeCompare(b.name));
  return (
    <Table.ScrollContainer minWidth={320} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table verticalSpacing={7}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Kind</Table.Th>
            <Table.Th>Tables</Table.Th>
            <Table.Th visibleFrom="sm">Connection</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sorted ? null : <RowSkeleton columns={['base', 'base', 'base', 'sm']} />}
          {sorted?.map((source) => (
            <Table.Tr key={source.id}>
              <Table.Td className="long-text">
                <AnchorLink to="/sources/$sourceId" params={{ sourceId: source.id }} size="sm">
                  {source.name}
                </AnchorLink>
                {source.disabled ? (
                  <Badge ml={8} variant="default">
                    Disabled
                  </Badge>
                ) : null}
              </Table.Td>
              <Table.Td>{kindLabels[source.kind]}</Table.Td>
              <Table.Td>
                <Text size="xs" ff="monospace">
                  {tablesOf(source)}
                </Text>
              </Table.Td>
              <Table.Td visibleFrom="sm" className="long-text">
                {connections.find(({ id }) => id === source.connection)?.name ?? source.connection}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function tablesOf(source: SourceRecord): string {
  const { databaseName, tableName } = source.from;
  if (source.kind !== 'metric') return `${databaseName}.${tableName}`;
  const count = Object.values(source.metricTables).filter(Boolean).length;
  return `${databaseName}, ${count} ${count === 1 ? 'table' : 'tables'}`;
}

/** Databases that sources may read from. */
export function ConnectionTable({ connections }: { connections: readonly ConnectionRecord[] }) {
  return (
    <Table.ScrollContainer minWidth={320} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table verticalSpacing={7}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Address</Table.Th>
            <Table.Th visibleFrom="sm">User</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {connections.map(({ id, name, host, username }) => (
            <Table.Tr key={id}>
              <Table.Td className="long-text">{name}</Table.Td>
              <Table.Td className="long-text">{host || 'within Signalbox'}</Table.Td>
              <Table.Td visibleFrom="sm">{username || '–'}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
