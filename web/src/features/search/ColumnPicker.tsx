import { Button, Checkbox, Group, Popover, ScrollArea, Stack, Switch, Text, TextInput } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { fieldsQuery } from '../where-editor/source-queries.ts';
import type { EventSource } from './event-columns.ts';
import { type ListColumn, type ListView, standardColumns, withColumn, withoutColumn } from './list-columns.ts';
import type { SearchChange } from './search-state.ts';

const fieldsShown = 200;

export interface ColumnPickerProps {
  source: EventSource;
  view: ListView;
  onChange: (change: SearchChange) => void;
}

/** Which columns the list has, and whether their text wraps. */
export function ColumnPicker({ source, view, onChange }: ColumnPickerProps) {
  const [opened, setOpened] = useState(false);
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" width={320} trapFocus withinPortal>
      <Popover.Target>
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          leftSection={<IconColumns3 size={13} />}
          onClick={() => setOpened((before) => !before)}
        >
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <PickerBody source={source} view={view} onChange={onChange} />
      </Popover.Dropdown>
    </Popover>
  );
}

function PickerBody({ source, view, onChange }: ColumnPickerProps) {
  const [text, setText] = useState('');
  const { columns } = view;
  const choices = useChoices(source, columns);
  const wanted = text.trim().toLowerCase();
  const found = choices.filter(({ label, expression }) => `${label}\n${expression}`.toLowerCase().includes(wanted));
  const toggle = ({ expression }: Choice, isShown: boolean) =>
    onChange({ columns: isShown ? withColumn(columns, expression, source) : withoutColumn(columns, expression) });
  return (
    <Stack gap={8}>
      <TextInput
        size="xs"
        data-autofocus
        aria-label="Find a field"
        placeholder="Find a field"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <ScrollArea.Autosize mah={280} viewportProps={{ tabIndex: -1 }}>
        <Stack gap={4} role="group" aria-label="Columns">
          {found.slice(0, fieldsShown).map((choice) => (
            <Checkbox
              key={choice.expression}
              size="xs"
              label={choice.label}
              checked={choice.isShown}
              disabled={choice.isShown && columns.length === 1}
              styles={{ label: { overflowWrap: 'anywhere' } }}
              onChange={(event) => toggle(choice, event.currentTarget.checked)}
            />
          ))}
        </Stack>
      </ScrollArea.Autosize>
      {found.length > fieldsShown ? (
        <Text size="xs" c="var(--sb-muted)">
          {(found.length - fieldsShown).toLocaleString('en-US')} more; type to find them.
        </Text>
      ) : null}
      {found.length === 0 ? (
        <Text size="xs" c="var(--sb-muted)">
          No field of {source.name} has this name.
        </Text>
      ) : null}
      <Group justify="space-between">
        <Switch
          size="xs"
          label="Wrap lines"
          checked={view.wrap}
          onChange={(event) => onChange({ wrap: event.currentTarget.checked })}
        />
        <ReasonedButton
          size="compact-xs"
          variant="subtle"
          reason={view.isStandard ? 'These are the usual columns.' : undefined}
          onClick={() => onChange({ columns: standardColumns(source) })}
        >
          Reset columns
        </ReasonedButton>
      </Group>
    </Stack>
  );
}

interface Choice {
  expression: string;
  label: string;
  isShown: boolean;
}

/** The columns that are shown, the usual ones, then every field of the source. */
function useChoices(source: EventSource, columns: readonly ListColumn[]): Choice[] {
  const fields = useQuery(fieldsQuery(source.id)).data ?? [];
  const choices = new Map<string, Choice>();
  const add = (expression: string, label: string, isShown: boolean) => {
    if (!choices.has(expression)) choices.set(expression, { expression, label, isShown });
  };
  for (const { expression, label } of columns) add(expression, label, true);
  for (const { expression, label } of standardColumns(source)) add(expression, label, false);
  for (const { sql, name } of fields) add(sql, name, false);
  return [...choices.values()];
}
