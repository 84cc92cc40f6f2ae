import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { showDone } from '../../ui/notify.ts';
import type { SourceRecord } from '../where-editor/source-queries.ts';
import { useDeleteSource } from './source-editing.ts';

export interface DeleteSourceProps {
  source: SourceRecord;
  opened: boolean;
  onClose: () => void;
}

/** Asks before a source goes: dashboards and alerts may read it. */
export function DeleteSource({ source, opened, onClose }: DeleteSourceProps) {
  const remove = useDeleteSource();
  const navigate = useNavigate();
  const confirm = () =>
    remove.mutate(source.id, {
      onSuccess: async () => {
        showDone(`“${source.name}” deleted.`);
        await navigate({ to: '/sources' });
      },
    });
  return (
    <Modal
      lockScroll={false}
      opened={opened}
      onClose={onClose}
      title={`Delete “${source.name}”?`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap={12}>
        <Text size="sm">
          Dashboards, alerts and saved searches that read it stop working. The table and its data stay as they are.
        </Text>
        {remove.error ? <ErrorNotice error={remove.error} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button color="red" loading={remove.isPending} onClick={confirm}>
            Delete
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
