import { Button, Group, Table, Text } from '@mantine/core';
import { useState } from 'react';
import type { WebhookRecord } from '../../../../src/contract/webhook.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { showDone } from '../../ui/notify.ts';
import { RowSkeleton } from '../../ui/RowSkeleton.tsx';
import { useDeleteWebhook, useTestWebhook, type WebhookTest } from './webhook-changes.ts';

export interface WebhookTableProps {
  /** Absent while they are read. */
  webhooks: readonly WebhookRecord[] | undefined;
  onEdit: (webhook: WebhookRecord) => void;
}

export function WebhookTable({ webhooks, onEdit }: WebhookTableProps) {
  const [deleting, setDeleting] = useState<WebhookRecord>();
  return (
    <>
      <Table.ScrollContainer minWidth={300} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Name</Table.Th>
              <Table.Th visibleFrom="sm">Service</Table.Th>
              <Table.Th visibleFrom="sm">URL</Table.Th>
              <Table.Th>Actions</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {webhooks ? null : <RowSkeleton columns={['base', 'sm', 'sm', 'base']} />}
            {webhooks?.map((webhook) => (
              <WebhookRow key={webhook.id} webhook={webhook} onEdit={onEdit} onDelete={setDeleting} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {deleting ? <DeleteWebhook webhook={deleting} onClose={() => setDeleting(undefined)} /> : null}
    </>
  );
}

interface RowProps {
  webhook: WebhookRecord;
  onEdit: (webhook: WebhookRecord) => void;
  onDelete: (webhook: WebhookRecord) => void;
}

function WebhookRow({ webhook, onEdit, onDelete }: RowProps) {
  const test = useTestWebhook();
  const { name, service, template, url } = webhook;
  return (
    <Table.Tr>
      <Table.Td className="long-text">{name}</Table.Td>
      <Table.Td visibleFrom="sm">{[service, template].filter(Boolean).join(' · ')}</Table.Td>
      <Table.Td visibleFrom="sm" className="long-text">
        {url}
      </Table.Td>
      <Table.Td>
        <Group gap={6} wrap="nowrap">
          <Button
            variant="default"
            size="compact-sm"
            aria-label={`Test ${name}`}
            loading={test.isPending}
            onClick={() => test.mutate(webhook.id)}
          >
            Test
          </Button>
          <Button variant="default" size="compact-sm" aria-label={`Edit ${name}`} onClick={() => onEdit(webhook)}>
            Edit
          </Button>
          <Button variant="default" size="compact-sm" aria-label={`Delete ${name}`} onClick={() => onDelete(webhook)}>
            Delete
          </Button>
        </Group>
        {test.data ? <TestOutcome outcome={test.data} /> : null}
        {test.error ? <ErrorNotice error={test.error} /> : null}
      </Table.Td>
    </Table.Tr>
  );
}

function TestOutcome({ outcome }: { outcome: WebhookTest }) {
  const { delivered, status, error, notice } = outcome;
  const words = [delivered ? 'Delivered' : 'Not delivered', status && `status ${status}`, error, notice];
  return (
    <Text size="sm" mt={4} role="status" c={delivered ? 'var(--sb-ok)' : 'var(--sb-firing)'}>
      {words.filter(Boolean).join(' · ')}
    </Text>
  );
}

/** A webhook that alerts still name is kept: the API's answer says by which. */
function DeleteWebhook({ webhook, onClose }: { webhook: WebhookRecord; onClose: () => void }) {
  const remove = useDeleteWebhook();
  const confirm = () =>
    remove.mutate(webhook.id, {
      onSuccess: () => {
        showDone(`“${webhook.name}” deleted.`);
        onClose();
      },
    });
  return (
    <ConfirmDialog
      opened
      verb="Delete"
      subject={webhook.name}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
