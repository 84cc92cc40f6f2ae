import { Badge, Button, Group, Modal, SegmentedControl, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import type { Difference, Side } from './differences.ts';

export interface EditConflictProps {
  /** What was edited: `dashboard`. */
  thing: string;
  differences: readonly Difference[];
  onResolve: (choices: ReadonlyMap<string, Side>) => void;
  onClose: () => void;
}

/** Someone else saved in between. Both edits are shown field by field; nothing is lost without a choice. */
export function EditConflict({ thing, differences, onResolve, onClose }: EditConflictProps) {
  const [choices, setChoices] = useState<ReadonlyMap<string, Side>>(new Map());
  return (
    <Modal opened onClose={onClose} title={`Someone else changed this ${thing}`} size="xl">
      <Stack gap={12}>
        <Text size="sm">
          Your changes are not saved yet. Changes made by only one of you are kept; where you both changed something,
          choose.
        </Text>
        <Table.ScrollContainer minWidth={460} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
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
              {differences.map((difference) => (
                <DifferenceRow
                  key={difference.key}
                  difference={difference}
                  chosen={choices.get(difference.key) ?? difference.suggested}
                  onChoose={(side) => setChoices(new Map(choices).set(difference.key, side))}
                />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            Keep editing
          </Button>
          <Button onClick={() => onResolve(choices)}>Save the merged {thing}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}

interface DifferenceRowProps {
  difference: Difference;
  chosen: Side;
  onChoose: (side: Side) => void;
}

function DifferenceRow({ difference: { label, conflict, mine, theirs }, chosen, onChoose }: DifferenceRowProps) {
  return (
    <Table.Tr>
      <Table.Td>
        {label}{' '}
        {conflict ? (
          <Badge size="xs" color="orange" variant="outline" c="var(--sb-pending)">
            both
          </Badge>
        ) : null}
      </Table.Td>
      <Table.Td>{mine}</Table.Td>
      <Table.Td>{theirs}</Table.Td>
      <Table.Td>
        <SegmentedControl
          size="xs"
          aria-label={`Keep for ${label}`}
          value={chosen}
          onChange={(side) => onChoose(side === 'mine' ? 'mine' : 'theirs')}
          data={[
            { value: 'mine', label: 'Mine' },
            { value: 'theirs', label: 'Theirs' },
          ]}
        />
      </Table.Td>
    </Table.Tr>
  );
}
