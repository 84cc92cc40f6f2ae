import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { Dashboard } from '../../../../src/contract/dashboard.ts';
import { showDone, showFailure } from '../../ui/notify.ts';
import { useDeleteDashboard } from './dashboard-queries.ts';

/** Asks before a dashboard goes, with the alerts that watch its tiles. */
export function DeleteDashboard({ dashboard, onClose }: { dashboard: Dashboard; onClose: () => void }) {
  const remove = useDeleteDashboard();
  const confirm = () =>
    remove.mutate(dashboard.id, {
      onSuccess: () => {
        showDone(`“${dashboard.name}” was deleted.`);
        onClose();
      },
      onError: showFailure,
    });
  return (
    <Modal opened onClose={onClose} title={`Delete “${dashboard.name}”?`} lockScroll={false}>
      <Stack gap={14}>
        <Text size="sm">Its tiles and the alerts that watch them go with it. This can’t be undone.</Text>
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color="red" loading={remove.isPending} onClick={confirm}>
            Delete dashboard
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
