import {
  Button,
  Checkbox,
  Group,
  Modal,
  MultiSelect,
  SegmentedControl,
  SimpleGrid,
  Stack,
  TagsInput,
  TextInput,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Dispatch, type SetStateAction, useState } from 'react';
import type { SilenceRecord } from '../../../../src/contract/silence.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { showDone } from '../../ui/notify.ts';
import { pageZone } from '../../ui/page-zone.ts';
import { ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { alertsQuery } from '../alerts/alert-queries.ts';
import { same } from '../editing/differences.ts';
import { useCloseGuard } from '../unsaved-changes/use-close-guard.tsx';
import { type Day, draftOfSilence, type SilenceDraft, silenceOfDraft } from './silence-draft.ts';
import { useSaveSilence } from './silence-queries.ts';

const dayLabels: Record<Day, string> = {
  mon: 'Mon',
  tue: 'Tue',
  wed: 'Wed',
  thu: 'Thu',
  fri: 'Fri',
  sat: 'Sat',
  sun: 'Sun',
};

interface FieldsProps {
  draft: SilenceDraft;
  change: (patch: Partial<SilenceDraft>) => void;
}

interface SilenceDialogProps {
  silence?: SilenceRecord | undefined;
  onClose: () => void;
}

/** The form of a silence; Escape and a click beside it ask before they lose what was written. */
export function SilenceDialog({ silence, onClose }: SilenceDialogProps) {
  const [given] = useState(() => draftOfSilence(silence, pageZone()));
  const [draft, setDraft] = useState(given);
  const guard = useCloseGuard({ isChanged: !same(draft, given), subject: silence?.name ?? 'the new silence', onClose });
  return (
    <Modal opened onClose={guard.close} size="lg" title={silence ? 'Edit silence' : 'New silence'}>
      <SilenceForm {...{ silence, draft, setDraft, onClose }} />
      {guard.question}
    </Modal>
  );
}

interface SilenceFormProps extends SilenceDialogProps {
  draft: SilenceDraft;
  setDraft: Dispatch<SetStateAction<SilenceDraft>>;
}

function SilenceForm({ silence, draft, setDraft, onClose }: SilenceFormProps) {
  const change = (patch: Partial<SilenceDraft>) => setDraft((current) => ({ ...current, ...patch }));
  const save = useSaveSilence();
  const body = silenceOfDraft(draft, silence);
  const onSuccess = () => {
    showDone('Silence saved.');
    onClose();
  };
  return (
    <Stack gap={12}>
      {save.error ? <ErrorNotice error={save.error} /> : null}
      <TextInput
        label="Name"
        required
        data-autofocus
        value={draft.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <TextInput
        label="Comment"
        value={draft.comment}
        onChange={(event) => change({ comment: event.currentTarget.value })}
      />
      <SegmentedControl
        aria-label="Kind"
        value={draft.kind}
        onChange={(kind) => change({ kind: kind === 'weekly' ? 'weekly' : 'once' })}
        data={[
          { value: 'once', label: 'Once' },
          { value: 'weekly', label: 'Every week' },
        ]}
      />
      {draft.kind === 'weekly' ? <WeeklyFields draft={draft} change={change} /> : null}
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing={12}>
        <TextInput
          type="datetime-local"
          label={`Starts (${pageZone()})`}
          value={draft.startsAt}
          onChange={(event) => change({ startsAt: event.currentTarget.value })}
        />
        <TextInput
          type="datetime-local"
          label={`Ends (${pageZone()})`}
          required={draft.kind === 'once'}
          value={draft.endsAt}
          onChange={(event) => change({ endsAt: event.currentTarget.value })}
        />
      </SimpleGrid>
      <MatchFields draft={draft} change={change} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <ReasonedButton
          reason={body ? undefined : 'Enter a name and the times.'}
          loading={save.isPending}
          onClick={() => body && save.mutate({ id: silence?.id, body }, { onSuccess })}
        >
          Save
        </ReasonedButton>
      </Group>
    </Stack>
  );
}

function WeeklyFields({ draft, change }: FieldsProps) {
  return (
    <>
      <Checkbox.Group
        label="Days on which it starts"
        value={draft.days}
        onChange={(days) => change({ days: days as Day[] })}
      >
        <Group gap={12} mt={6}>
          {Object.entries(dayLabels).map(([value, label]) => (
            <Checkbox key={value} value={value} label={label} />
          ))}
        </Group>
      </Checkbox.Group>
      <SimpleGrid cols={{ base: 2, sm: 3 }} spacing={12}>
        <TextInput
          type="time"
          label="From"
          value={draft.from}
          onChange={(event) => change({ from: event.currentTarget.value })}
        />
        <TextInput
          type="time"
          label="To"
          value={draft.to}
          onChange={(event) => change({ to: event.currentTarget.value })}
        />
        <TextInput
          label="Time zone"
          value={draft.timezone}
          onChange={(event) => change({ timezone: event.currentTarget.value })}
        />
      </SimpleGrid>
    </>
  );
}

function MatchFields({ draft, change }: FieldsProps) {
  const alerts = useQuery(alertsQuery).data ?? [];
  return (
    <>
      <MultiSelect
        label="Alerts"
        placeholder="Any alert"
        searchable
        data={alerts.map(({ id, name }) => ({ value: id, label: name ?? id }))}
        value={draft.alertIds}
        onChange={(alertIds) => change({ alertIds })}
      />
      <TagsInput
        label="Tags of the dashboard or saved search"
        value={draft.tags}
        onChange={(tags) => change({ tags })}
      />
      <TagsInput
        label="Groups"
        description="ServiceName=checkout, or just a value. Press Enter after each. If nothing is selected, every alert is silenced."
        value={draft.groups}
        onChange={(groups) => change({ groups })}
      />
    </>
  );
}
