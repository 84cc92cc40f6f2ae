import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { Pair } from './webhook-draft.ts';

export interface PairRowsProps {
  label: string;
  rows: readonly Pair[];
  onChange: (rows: Pair[]) => void;
}

/** Names and values, one pair a row. */
export function PairRows({ label, rows, onChange }: PairRowsProps) {
  const edit = (id: number, patch: Partial<Pair>) =>
    onChange(rows.map((row) => (row.id === id ? { ...row, ...patch } : row)));
  const add = () => onChange([...rows, { id: Math.max(0, ...rows.map(({ id }) => id)) + 1, name: '', value: '' }]);
  return (
    <Stack gap={6}>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      {rows.map(({ id, name, value }, index) => (
        <Group key={id} gap={6} wrap="nowrap">
          <TextInput
            aria-label={`${label}: name ${index + 1}`}
            placeholder="Name"
            value={name}
            onChange={(event) => edit(id, { name: event.currentTarget.value })}
          />
          <TextInput
            flex={1}
            aria-label={`${label}: value ${index + 1}`}
            placeholder="Value"
            value={value}
            onChange={(event) => edit(id, { value: event.currentTarget.value })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`${label}: remove ${index + 1}`}
            onClick={() => onChange(rows.filter((row) => row.id !== id))}
          >
            <IconTrash size={15} />
          </ActionIcon>
        </Group>
      ))}
      <Group>
        <Button variant="default" size="compact-sm" onClick={add}>
          Add to {label.toLowerCase()}
        </Button>
      </Group>
    </Stack>
  );
}
