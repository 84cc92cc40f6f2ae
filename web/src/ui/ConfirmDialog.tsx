import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorNotice } from './ErrorNotice.tsx';

export interface ConfirmDialogProps {
  opened: boolean;
  /** What the button does: "Revoke". */
  verb: string;
  /** What it does it to: "ci". */
  subject: string;
  /** What happens then, and to whom. */
  consequence?: ReactNode;
  busy: boolean;
  /** Why it failed, shown where it was asked. */
  error: Error | null;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something that can't be undone. */
export function ConfirmDialog({ opened, verb, subject, consequence, ...rest }: ConfirmDialogProps) {
  const { busy, error, onConfirm, onClose } = rest;
  return (
    <Modal opened={opened} onClose={onClose} title={`${verb} “${subject}”?`}>
      <Stack gap={12}>
        {consequence ? <Text size="sm">{consequence}</Text> : null}
        {error ? <ErrorNotice error={error} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color="red" loading={busy} onClick={onConfirm}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
