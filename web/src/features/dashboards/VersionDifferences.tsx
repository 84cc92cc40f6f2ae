import { Table, Text } from '@mantine/core';
import type { Dashboard } from '../../../../src/contract/dashboard.ts';
import { differencesOf } from './merge-dashboards.ts';

/** What restoring a past version would change of the present one. */
export function VersionDifferences({ past, present }: { past: Dashboard; present: Dashboard }) {
  const differences = differencesOf(present, past, present);
  if (differences.length === 0) return <Text size="sm">This version says the same as the present one.</Text>;
  return (
    <Table.ScrollContainer minWidth={280} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table aria-label="What restoring changes">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>What</Table.Th>
            <Table.Th>By restoring</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {differences.map(({ key, label, mine }) => (
            <Table.Tr key={key}>
              <Table.Td className="long-text">{label}</Table.Td>
              <Table.Td className="long-text">{mine}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
