import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { type RowGroup, type SourceRow, textAt, withText } from './source-rows.ts';

export interface SourceRowsProps {
  group: RowGroup;
  rows: readonly SourceRow[];
  problemAt: (path: string) => string | undefined;
  /** Makes the rows of what they are by then. */
  onChange: (change: (rows: readonly SourceRow[]) => readonly SourceRow[]) => void;
}

/** A list of a source, one entry a row. */
export function SourceRows({ group, rows, problemAt, onChange }: SourceRowsProps) {
  const { path, title, noun, columns, rowsMax } = group;
  const edit = (index: number, key: string, text: string) =>
    onChange((now) => now.map((row, place) => (place === index ? withText(row, key, text) : row)));
  return (
    <Stack gap={6} role="group" aria-label={title}>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows are distinguished by their place
        <Group key={index} gap={6} wrap="nowrap" align="flex-start">
          {columns.map(({ key, label }) => (
            <TextInput
              key={key}
              flex={1}
              miw={0}
              size="xs"
              ff="monospace"
              spellCheck={false}
              aria-label={`${title}: ${label} ${index + 1}`}
              placeholder={label}
              value={textAt(row, key)}
              error={problemAt(`${path}.${index}.${key}`)}
              onChange={(event) => edit(index, key, event.currentTarget.value)}
            />
          ))}
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`${title}: remove ${index + 1}`}
            onClick={() => onChange((now) => now.filter((_, place) => place !== index))}
          >
            <IconTrash size={15} />
          </ActionIcon>
        </Group>
      ))}
      {rows.length < rowsMax ? (
        <Group>
          <Button
            variant="default"
            size="compact-xs"
            leftSection={<IconPlus size={12} />}
            onClick={() => onChange((now) => [...now, {}])}
          >
            Add {noun}
          </Button>
        </Group>
      ) : null}
    </Stack>
  );
}
