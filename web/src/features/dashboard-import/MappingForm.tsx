import { Select, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { DashboardImportRequest, ImportReference } from '../../../../src/contract/dashboard-import.ts';
import { Panel } from '../../ui/Panel.tsx';
import { connectionsQuery } from '../sources/source-editing.ts';
import { useSources } from '../where-editor/source-queries.ts';

type Mapping = NonNullable<DashboardImportRequest['mapping']>;

export interface MappingFormProps {
  references: readonly ImportReference[];
  mapping: Mapping;
  onChange: (mapping: Mapping) => void;
}

/** What the document refers to, and what that is here. */
export function MappingForm({ references, mapping, onChange }: MappingFormProps) {
  const sources = useSources();
  const connections = useQuery(connectionsQuery).data ?? [];
  if (references.length === 0) return null;
  const set = ({ kind, key }: ImportReference, id: string | null) => {
    if (id === null) return;
    const list = kind === 'source' ? 'sources' : 'connections';
    onChange({ ...mapping, [list]: { ...mapping[list], [key]: id } });
  };
  return (
    <Panel
      title="Sources and connections"
      description="What was found by its name or table is filled in. Tiles whose source or connection is open are left out."
    >
      <Table verticalSpacing={6} aria-label="Sources and connections">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>In the document</Table.Th>
            <Table.Th>Used by</Table.Th>
            <Table.Th>Here</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {references.map((reference) => {
            const { kind, key, name, uses, id, optional } = reference;
            const known = kind === 'source' ? sources : connections;
            return (
              <Table.Tr key={`${kind} ${key}`}>
                <Table.Td className="long-text">
                  {name}
                  <Text size="xs" c="var(--sb-muted)">
                    {kind === 'source' ? 'Source' : 'Connection'}
                    {optional ? ', not needed' : ''}
                  </Text>
                </Table.Td>
                <Table.Td>{uses === 1 ? '1 place' : `${uses} places`}</Table.Td>
                <Table.Td>
                  <Select
                    aria-label={`${kind === 'source' ? 'Source' : 'Connection'} for ${name}`}
                    placeholder={optional ? 'None' : 'Choose one'}
                    data={known.map((one) => ({ value: one.id, label: one.name }))}
                    value={id}
                    onChange={(next) => set(reference, next)}
                    allowDeselect={false}
                    error={id === null && !optional}
                  />
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Panel>
  );
}
