import { Group, Modal, SegmentedControl, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { PipeSourceProposal } from '../../../../src/contract/pipe-source.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { showDone } from '../../ui/notify.ts';
import { ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { labelsOfKind } from '../sources/source-draft.ts';
import { useCreatePipeSource } from './pipe-queries.ts';
import { bodyOfSource, fieldsOfSource, isCompleteSource, type PipeSourceKind } from './source-fields.ts';

export interface PipeSourceDialogProps {
  opened: boolean;
  onClose: () => void;
  proposal: PipeSourceProposal;
  service: string;
  pipeId: string;
}

const kinds = [
  { value: 'log', label: 'Logs' },
  { value: 'trace', label: 'Traces' },
];

/** The guessed source, to be looked over and changed before it is stored. */
export function PipeSourceDialog({ opened, onClose, ...rest }: PipeSourceDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} size="lg" title={`A source over ${rest.proposal.table}`}>
      <Form {...rest} onClose={onClose} />
    </Modal>
  );
}

function Form({ proposal, service, pipeId, onClose }: Omit<PipeSourceDialogProps, 'opened'>) {
  const { table, columns, source, hint } = proposal;
  const [kind, setKind] = useState<PipeSourceKind>(source?.kind ?? 'log');
  const [texts, setTexts] = useState<Record<string, string | undefined>>({ ...source });
  const create = useCreatePipeSource(service, pipeId);
  const set = (path: string, text: string) => setTexts((before) => ({ ...before, [path]: text }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(
      { table, ...bodyOfSource(kind, texts) },
      {
        onSuccess: ({ name }) => {
          showDone(`The source “${name}” is there.`);
          onClose();
        },
      },
    );
  };
  return (
    <form onSubmit={submit}>
      <Stack gap={12}>
        <Text size="sm">
          The fields are guessed from the columns of the table. Each takes a column or an SQL expression; what the table
          does not have stays empty.
        </Text>
        {hint ? <Text size="sm">{hint}</Text> : null}
        <Text size="xs" c="var(--sb-muted)" ff="monospace" className="long-text">
          {columns.map(({ name, type }) => `${name} ${type}`).join(', ')}
        </Text>
        <SegmentedControl
          aria-label="Kind"
          data={kinds}
          value={kind}
          onChange={(next) => setKind(next === 'trace' ? 'trace' : 'log')}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing={12}>
          <TextInput
            label="Name"
            required
            data-autofocus
            value={texts.name ?? ''}
            onChange={(event) => set('name', event.currentTarget.value)}
          />
          {fieldsOfSource(kind).map(({ path, label, hint: description, required = false }) => (
            <TextInput
              key={path}
              label={label}
              description={description}
              required={required}
              spellCheck={false}
              styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
              value={texts[path] ?? ''}
              onChange={(event) => set(path, event.currentTarget.value)}
            />
          ))}
        </SimpleGrid>
        {create.error ? <ErrorNotice error={create.error} labels={labelsOfKind(kind)} /> : null}
        <Group justify="flex-end">
          <ReasonedButton
            type="submit"
            loading={create.isPending}
            reason={isCompleteSource(kind, texts) ? undefined : 'Fill in every field that is marked as required.'}
          >
            Save
          </ReasonedButton>
        </Group>
      </Stack>
    </form>
  );
}
