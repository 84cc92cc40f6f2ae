import { Button, Group, Modal, PasswordInput, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type Dispatch, type SetStateAction, useState } from 'react';
import type { WebhookRecord } from '../../../../src/contract/webhook.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { showDone } from '../../ui/notify.ts';
import { ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { same } from '../editing/differences.ts';
import { useCloseGuard } from '../unsaved-changes/use-close-guard.tsx';
import { PairRows } from './PairRows.tsx';
import { useSaveWebhook } from './webhook-changes.ts';
import { draftOfWebhook, type WebhookDraft, webhookOfDraft } from './webhook-draft.ts';

const services = [
  { value: 'slack', label: 'Slack' },
  { value: 'generic', label: 'Generic' },
  { value: 'incidentio', label: 'incident.io' },
];
const templates = [
  { value: 'pagerduty', label: 'PagerDuty' },
  { value: 'msteams', label: 'Microsoft Teams' },
];

interface WebhookDialogProps {
  webhook?: WebhookRecord | undefined;
  onClose: () => void;
}

/** The form of a webhook; Escape and a click beside it ask before they lose what was written. */
export function WebhookDialog({ webhook, onClose }: WebhookDialogProps) {
  const [draft, setDraft] = useState(() => draftOfWebhook(webhook));
  const isChanged = !same(draft, draftOfWebhook(webhook));
  const guard = useCloseGuard({ isChanged, subject: webhook?.name ?? 'the new webhook', onClose });
  return (
    <Modal opened onClose={guard.close} size="lg" title={webhook ? 'Edit webhook' : 'New webhook'}>
      <WebhookForm {...{ webhook, draft, setDraft, onClose }} />
      {guard.question}
    </Modal>
  );
}

interface WebhookFormProps extends WebhookDialogProps {
  draft: WebhookDraft;
  setDraft: Dispatch<SetStateAction<WebhookDraft>>;
}

function WebhookForm({ webhook, draft, setDraft, onClose }: WebhookFormProps) {
  const change = (patch: Partial<WebhookDraft>) => setDraft((current) => ({ ...current, ...patch }));
  const save = useSaveWebhook();
  const submit = () =>
    save.mutate(
      { id: webhook?.id, body: webhookOfDraft(draft) },
      {
        onSuccess: () => {
          showDone('Webhook saved.');
          onClose();
        },
      },
    );
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
      <Select
        label="Service"
        allowDeselect={false}
        data={services}
        value={draft.service}
        onChange={(service) => service && change({ service: service as WebhookDraft['service'] })}
      />
      <TextInput
        label="URL"
        required
        placeholder="https://"
        value={draft.url}
        onChange={(event) => change({ url: event.currentTarget.value })}
      />
      <TextInput
        label="Description"
        value={draft.description}
        onChange={(event) => change({ description: event.currentTarget.value })}
      />
      {draft.service === 'generic' ? <GenericFields draft={draft} change={change} stored={!!webhook} /> : null}
      {draft.service === 'incidentio' ? (
        <BodyField
          draft={draft}
          change={change}
          description="A Liquid template; incident.io's own body when empty. It is never shown again; saving the form with an empty field removes it."
        />
      ) : null}
      {draft.service === 'slack' ? null : <SecretFields draft={draft} change={change} stored={!!webhook} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <ReasonedButton
          loading={save.isPending}
          reason={draft.name && draft.url ? undefined : 'Enter a name and a URL.'}
          onClick={submit}
        >
          Save
        </ReasonedButton>
      </Group>
    </Stack>
  );
}

interface FieldsProps {
  draft: WebhookDraft;
  change: (patch: Partial<WebhookDraft>) => void;
  stored: boolean;
}

function GenericFields({ draft, change, stored }: FieldsProps) {
  return (
    <>
      <Select
        label="Template"
        placeholder="None: custom body"
        clearable
        clearButtonProps={{ 'aria-label': 'No template' }}
        data={templates}
        value={draft.template ?? null}
        onChange={(template) => change({ template: template as WebhookDraft['template'] })}
      />
      {draft.template === 'pagerduty' ? (
        <PasswordInput
          label="Routing key"
          placeholder={stored ? 'Unchanged' : 'Integration key of the PagerDuty service'}
          value={draft.routingKey}
          onChange={(event) => change({ routingKey: event.currentTarget.value })}
        />
      ) : null}
      {draft.template ? null : (
        <BodyField
          draft={draft}
          change={change}
          description="A Liquid template; the default body when empty. For example {{title}}, {{body}}, {{link}}, {{eventId}}, {{value | json}}."
        />
      )}
    </>
  );
}

function BodyField({ draft, change, description }: Omit<FieldsProps, 'stored'> & { description: string }) {
  return (
    <Textarea
      label="Body"
      description={description}
      autosize
      minRows={3}
      value={draft.body}
      onChange={(event) => change({ body: event.currentTarget.value })}
    />
  );
}

function SecretFields({ draft, change, stored }: FieldsProps) {
  return (
    <>
      {stored ? (
        <Text size="xs" c="dimmed">
          Headers, query parameters and secrets are never shown again. Those stored stay unless you enter new ones.
        </Text>
      ) : null}
      <PairRows label="Headers" rows={draft.headers} onChange={(headers) => change({ headers })} />
      <PairRows label="Query parameters" rows={draft.queryParams} onChange={(queryParams) => change({ queryParams })} />
      <PasswordInput
        label="Signing secret"
        placeholder={stored ? 'Unchanged' : 'Optional'}
        value={draft.signingSecret}
        onChange={(event) => change({ signingSecret: event.currentTarget.value })}
      />
    </>
  );
}
