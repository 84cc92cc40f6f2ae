import { Badge, Button, Group, Modal, SegmentedControl, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import type { Dashboard } from '../../../../src/contract/dashboard.ts';
import { differencesOf, mergeDashboards, type Side } from './merge-dashboards.ts';
import type { Conflict } from './use-dashboard-draft.ts';

export interface SaveConflictProps {
  conflict: Conflict;
  onResolve: (merged: Dashboard) => void;
  onClose: () => void;
}

/** Somebody saved in between. Both edits are shown place by place; nothing is lost without a choice. */
export function SaveConflict({ conflict, onResolve, onClose }: SaveConflictProps) {
  const { base, mine, theirs } = conflict;
  const [choices, setChoices] = useState<ReadonlyMap<string, Side>>(new Map());
  const differences = differencesOf(base, mine, theirs.data);
  return (
    <Modal opened onClose={onClose} title="Somebody else changed this dashboard" size="xl">
      <Stack gap={12}>
        <Text size="sm">
          Your changes are not saved yet. Where only one of you changed something, that is kept; where both did, choose.
        </Text>
        <Table fz="sm" verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>What</Table.Th>
              <Table.Th>Yours</Table.Th>
              <Table.Th>Theirs</Table.Th>
              <Table.Th>Keep</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {differences.map(({ key, label, conflict: both, suggested, ...sides }) => (
              <Table.Tr key={key}>
                <Table.Td>
                  {label}{' '}
                  {both ? (
                    <Badge size="xs" color="orange" variant="light">
                      both
                    </Badge>
                  ) : null}
                </Table.Td>
                <Table.Td>{sides.mine}</Table.Td>
                <Table.Td>{sides.theirs}</Table.Td>
                <Table.Td>
                  <SegmentedControl
                    size="xs"
                    aria-label={`Keep of ${label}`}
                    value={choices.get(key) ?? suggested}
                    onChange={(side) => setChoices(new Map(choices).set(key, side === 'mine' ? 'mine' : 'theirs'))}
                    data={[
                      { value: 'mine', label: 'Mine' },
                      { value: 'theirs', label: 'Theirs' },
                    ]}
                  />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            Keep editing
          </Button>
          <Button onClick={() => onResolve(mergeDashboards(mine, theirs.data, differences, choices))}>
            Save the merged dashboard
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
