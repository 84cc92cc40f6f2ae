import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  Input,
  Modal,
  MultiSelect,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { DashboardFilter } from '../../../../src/contract/dashboard-filter.ts';
import { variableNameOf } from '../../../../src/contract/variable-name.ts';
import { ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { same } from '../editing/differences.ts';
import { useCloseGuard } from '../unsaved-changes/use-close-guard.tsx';
import { useSources } from '../where-editor/source-queries.ts';
import { ExpressionEditor, WhereEditor } from '../where-editor/WhereEditor.tsx';
import classes from './Filters.module.css';
import { changedFilter, newFilter, problemOf } from './filter-draft.ts';

export interface FilterEditorProps {
  filters: readonly DashboardFilter[];
  onDone: (filters: DashboardFilter[]) => void;
  onClose: () => void;
}

/** All filters of a dashboard. They are saved with it. */
export function FilterEditor({ filters, onDone, onClose }: FilterEditorProps) {
  const [firstSource] = useSources();
  const [edited, setEdited] = useState<readonly DashboardFilter[]>(filters);
  const [problem, setProblem] = useState<string>();
  const guard = useCloseGuard({ isChanged: !same(edited, filters), subject: 'the filters', onClose });
  const add = () => setEdited((now) => [...now, newFilter(crypto.randomUUID(), firstSource?.id ?? '')]);
  // By id: the next letter may be typed before the form shows the last one.
  const change = (filterId: string, patch: Partial<DashboardFilter>) =>
    setEdited((now) => now.map((one) => (one.id === filterId ? changedFilter(one, patch) : one)));
  const apply = () => {
    const found = edited.map(problemOf).find((one) => one !== undefined);
    if (found === undefined) onDone([...edited]);
    else setProblem(found);
  };
  return (
    <Modal opened onClose={guard.close} title="Filters" size="lg">
      <Stack gap={12}>
        <Text size="sm" c="var(--sb-muted)">
          A filter is shown above the tiles and narrows them to the chosen values. A variable gives its values to the
          tiles that name it, as $name in their filters, expressions, SQL and texts.
        </Text>
        {edited.map((filter, index) => (
          <FilterFields
            key={filter.id}
            filter={filter}
            place={index + 1}
            onChange={(patch) => change(filter.id, patch)}
            onRemove={() => setEdited((now) => now.filter(({ id }) => id !== filter.id))}
            onMoveUp={index === 0 ? undefined : () => setEdited((now) => movedUp(now, index))}
          />
        ))}
        <Group>
          <ReasonedButton
            variant="default"
            leftSection={<IconPlus size={14} />}
            onClick={add}
            reason={firstSource ? undefined : 'Add a source first.'}
          >
            Add filter
          </ReasonedButton>
        </Group>
        {problem ? (
          <Text size="sm" c="var(--sb-firing)" role="alert">
            {problem}
          </Text>
        ) : null}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button onClick={apply}>Apply</Button>
        </Group>
      </Stack>
      {guard.question}
    </Modal>
  );
}

interface FilterFieldsProps {
  filter: DashboardFilter;
  /** From 1. */
  place: number;
  onChange: (patch: Partial<DashboardFilter>) => void;
  onRemove: () => void;
  onMoveUp: (() => void) | undefined;
}

function FilterFields({ filter, place, onChange, onRemove, onMoveUp }: FilterFieldsProps) {
  const sources = useSources().map(({ id, name }) => ({ value: id, label: name }));
  // Not the name: what is read out must not change while the name is typed.
  const name = `filter ${place}`;
  const narrows = filter.isBroadcastEnabled ?? true;
  const isVariable = filter.isVariableEnabled ?? false;
  return (
    <Stack gap={10} className={classes.filter ?? ''} role="group" aria-label={`Filter ${place}`}>
      <Group align="flex-end" wrap="nowrap" gap={8}>
        <TextInput
          label="Name"
          flex={1}
          value={filter.name}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        <Select
          label="Values from"
          flex={1}
          data={sources}
          value={filter.sourceId}
          onChange={(sourceId) => onChange({ sourceId: sourceId ?? '' })}
          allowDeselect={false}
        />
        {onMoveUp ? (
          <ActionIcon variant="subtle" color="gray" mb={4} onClick={onMoveUp} aria-label={`Move ${name} up`}>
            <IconArrowUp size={15} />
          </ActionIcon>
        ) : null}
        <ActionIcon variant="subtle" color="gray" mb={4} onClick={onRemove} aria-label={`Remove ${name}`}>
          <IconTrash size={15} />
        </ActionIcon>
      </Group>
      <Input.Wrapper label="Field or expression" labelElement="div">
        <ExpressionEditor
          label={`Field or expression of ${name}`}
          sourceId={filter.sourceId}
          value={filter.expression}
          onChange={(expression) => onChange({ expression })}
          hint="ServiceName"
        />
      </Input.Wrapper>
      <Input.Wrapper label="Only offer values from matching rows" labelElement="div">
        <WhereEditor
          label={`Rows of ${name}`}
          sourceId={filter.sourceId}
          value={filter.where ?? ''}
          language={filter.whereLanguage ?? 'lucene'}
          onChange={(where) => onChange({ where })}
          onLanguageChange={(whereLanguage) => onChange({ whereLanguage })}
        />
      </Input.Wrapper>
      {narrows ? (
        <MultiSelect
          label="Applies to tiles of"
          placeholder={filter.appliesToSourceIds?.length ? undefined : 'Every source'}
          data={sources}
          value={filter.appliesToSourceIds ?? []}
          onChange={(appliesToSourceIds) => onChange({ appliesToSourceIds })}
        />
      ) : null}
      <Group align="flex-end" gap={16}>
        <Checkbox
          label="Narrows tiles"
          checked={narrows}
          disabled={!isVariable}
          onChange={(event) => onChange({ isBroadcastEnabled: event.currentTarget.checked })}
        />
        <Checkbox
          label="Variable"
          checked={isVariable}
          disabled={!narrows}
          onChange={(event) => onChange({ isVariableEnabled: event.currentTarget.checked })}
        />
        {isVariable ? (
          <TextInput
            aria-label={`Name of the variable of ${name}`}
            leftSection="$"
            placeholder={variableNameOf({ name: filter.name })}
            value={filter.variableName ?? ''}
            onChange={(event) => onChange({ variableName: event.currentTarget.value })}
          />
        ) : null}
      </Group>
    </Stack>
  );
}

function movedUp(filters: readonly DashboardFilter[], index: number): DashboardFilter[] {
  const moved = [...filters];
  const [one] = moved.splice(index, 1);
  if (one) moved.splice(index - 1, 0, one);
  return moved;
}
