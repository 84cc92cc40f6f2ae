import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { showDone } from '../../ui/notify.ts';
import { useDeleteAlert } from './alert-queries.ts';

export function DeleteAlert({ id, name }: { id: string; name: string }) {
  const [opened, { open, close }] = useDisclosure();
  const remove = useDeleteAlert();
  const navigate = useNavigate();
  const confirm = () =>
    remove.mutate(id, {
      onSuccess: async () => {
        showDone(`“${name}” deleted.`);
        await navigate({ to: '/alerts' });
      },
    });
  return (
    <>
      <Button variant="default" c="var(--sb-firing)" onClick={open}>
        Delete
      </Button>
      <Modal
        lockScroll={false}
        opened={opened}
        onClose={close}
        title={`Delete “${name}”?`}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Stack gap={12}>
          <Text size="sm">Its history and its delivery log go with it.</Text>
          {remove.error ? <ErrorNotice error={remove.error} /> : null}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button color="red" loading={remove.isPending} onClick={confirm}>
              Delete
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
