import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
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
      <ConfirmDialog
        opened={opened}
        verb="Delete"
        subject={name}
        consequence="Its history and delivery log are deleted too."
        busy={remove.isPending}
        error={remove.error}
        onConfirm={confirm}
        onClose={close}
      />
    </>
  );
}
