import { Group, Stack, Text, Textarea } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { UnsavedChangesGuard } from '../unsaved-changes/UnsavedChangesGuard.tsx';
import { readDocument } from './pipe-document.ts';

export interface PipeDocumentFormProps {
  text: string;
  /** The text that would be lost by nothing. */
  initial: string;
  onChange: (text: string) => void;
  verb: string;
  hint: ReactNode;
  isSaving: boolean;
  error: Error | null;
  onSave: (pipe: Record<string, unknown>) => void;
  /** Above the text. */
  head?: ReactNode;
  /** Buttons beside the one that saves. */
  actions?: ReactNode;
  /** What the buttons found out. */
  children?: ReactNode;
}

/** A pipe as JSON, as the API takes it. */
export function PipeDocumentForm({ text, initial, onChange, verb, hint, ...rest }: PipeDocumentFormProps) {
  const { isSaving, error, onSave, head, actions, children } = rest;
  const { problem, ...read } = readDocument(text);
  const isChanged = text !== initial;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if ('value' in read) onSave(read.value);
  };
  return (
    <form onSubmit={submit}>
      <Panel>
        <Stack gap={12}>
          {head}
          <Text size="sm">{hint}</Text>
          <Textarea
            label="JSON"
            autosize
            minRows={12}
            maxRows={24}
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            value={text}
            error={problem}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
          {children}
          {error ? <ErrorNotice error={error} /> : null}
          <UnsavedChangesGuard isChanged={isChanged} subject="this pipe" />
          <Group justify="flex-end" gap="8px 16px">
            {actions}
            <Group gap={8}>
              <ReasonedButton
                type="submit"
                loading={isSaving}
                reason={problem === undefined ? undefined : 'Correct the text first.'}
              >
                {verb}
              </ReasonedButton>
            </Group>
          </Group>
        </Stack>
      </Panel>
    </form>
  );
}
