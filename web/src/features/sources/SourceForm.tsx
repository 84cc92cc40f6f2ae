import { Group, NumberInput, Select, SimpleGrid, Switch, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useMemo, useState } from 'react';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { same } from '../editing/differences.ts';
import { UnsavedChangesGuard } from '../unsaved-changes/UnsavedChangesGuard.tsx';
import { useSources } from '../where-editor/source-queries.ts';
import { SourceCheckPanel } from './SourceCheckPanel.tsx';
import { SourceExtras } from './SourceExtras.tsx';
import classes from './SourceForm.module.css';
import {
  type DraftField,
  groupsOfKind,
  isComplete,
  labelsOfKind,
  type SourceDraft,
  valueAt,
  withValue,
} from './source-draft.ts';
import { connectionsQuery, useSourceCheck } from './source-editing.ts';
import { withoutBlankRows } from './source-rows.ts';

const checkAfterMs = 500;

export interface SourceFormProps {
  initial: SourceDraft;
  /** The source that is edited; it can't refer to itself. */
  sourceId?: string | undefined;
  isSaving: boolean;
  error: Error | null;
  onSave: (draft: SourceDraft) => void;
}

/** Fields of a source by its kind, held against its table while they are written. */
export function SourceForm({ initial, sourceId, isSaving, error, onSave }: SourceFormProps) {
  const [draft, setDraft] = useState(initial);
  const [settled] = useDebouncedValue(draft, checkAfterMs);
  const sent = useMemo(() => withoutBlankRows(settled), [settled]);
  const check = useSourceCheck(sent);
  const connections = useQuery(connectionsQuery).data ?? [];
  const set = (path: string, value: unknown) => setDraft((before) => withValue(before, path, value));
  const labels = labelsOfKind(draft.kind);
  const problemAt = (path: string) => check.data?.problems.find((problem) => problem.path === path)?.message;
  const isChanged = !same(withoutBlankRows(draft), withoutBlankRows(initial));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSave(withoutBlankRows(draft));
  };
  return (
    <form onSubmit={submit}>
      <Panel>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing={12}>
          <TextInput
            label="Name"
            required
            value={valueAt(draft, 'name')}
            error={problemAt('name')}
            onChange={(event) => set('name', event.currentTarget.value)}
          />
          <Select
            label="Connection"
            required
            allowDeselect={false}
            value={valueAt(draft, 'connection')}
            error={problemAt('connection')}
            data={connections.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(id) => id && set('connection', id)}
          />
        </SimpleGrid>
        <Switch
          mt={14}
          label="In use"
          description="A disabled source keeps its settings but can’t be read."
          checked={draft.disabled !== true}
          onChange={(event) => set('disabled', !event.currentTarget.checked)}
        />
      </Panel>
      {groupsOfKind[draft.kind].map(({ title, fields }) => (
        <Panel key={title} title={title}>
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing={12}>
            {fields.map((field) => (
              <FieldInput
                key={field.path}
                field={field}
                value={valueAt(draft, field.path)}
                problem={problemAt(field.path)}
                sourceId={sourceId}
                onChange={(value) => set(field.path, value)}
              />
            ))}
          </SimpleGrid>
        </Panel>
      ))}
      <SourceExtras draft={draft} problemAt={problemAt} onChange={setDraft} />
      <SourceCheckPanel
        result={isComplete(draft) ? check.data : undefined}
        error={check.error}
        isChecking={check.isFetching || settled !== draft}
        labels={labels}
      />
      {error ? <ErrorNotice error={error} labels={labels} /> : null}
      <UnsavedChangesGuard isChanged={isChanged} subject={valueAt(initial, 'name') || 'this source'} />
      <Group justify="flex-end" className={classes.foot ?? ''}>
        {isChanged ? (
          <Text size="xs" c="var(--sb-muted)">
            Not saved yet
          </Text>
        ) : null}
        <ReasonedButton
          type="submit"
          loading={isSaving}
          reason={isComplete(draft) ? undefined : 'Fill in every field that is marked as required.'}
        >
          Save
        </ReasonedButton>
      </Group>
    </form>
  );
}

interface FieldInputProps {
  field: DraftField;
  value: string;
  problem: string | undefined;
  sourceId: string | undefined;
  onChange: (value: unknown) => void;
}

function FieldInput({ field, value, problem, sourceId, onChange }: FieldInputProps) {
  const { label, hint, required = false, input = 'text' } = field;
  const shared = {
    label,
    description: hint,
    required,
    error: problem,
    styles: { input: { fontFamily: 'var(--mantine-font-family-monospace)' } },
  };
  if (input === 'number') {
    return (
      <NumberInput
        {...shared}
        min={0}
        max={9}
        value={value === '' ? '' : Number(value)}
        onChange={(next) => onChange(next === '' ? undefined : Number(next))}
      />
    );
  }
  if (input === 'text') {
    return (
      <TextInput
        {...shared}
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  return <SourceSelect {...{ shared, value, sourceId, onChange }} kind={kindOfInput[input]} />;
}

const kindOfInput = { logSource: 'log', traceSource: 'trace', metricSource: 'metric' } as const;

interface SourceSelectProps extends Omit<FieldInputProps, 'field' | 'problem'> {
  shared: object;
  kind: 'log' | 'trace' | 'metric';
}

function SourceSelect({ shared, kind, value, sourceId, onChange }: SourceSelectProps) {
  const sources = useSources().filter((source) => source.kind === kind && source.id !== sourceId);
  return (
    <Select
      {...shared}
      clearable
      clearButtonProps={{ 'aria-label': 'Clear' }}
      placeholder="None"
      value={value || null}
      data={sources.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={(id) => onChange(id ?? undefined)}
    />
  );
}
