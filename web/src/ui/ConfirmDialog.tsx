import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorNotice } from './ErrorNotice.tsx';

export interface ConfirmDialogProps {
  opened: boolean;
  /** The action: "Revoke". */
  verb: string;
  /** Its object: "ci". */
  subject: string;
  /** Text of the button where the verb alone does not read well. */
  buttonLabel?: string;
  /** The effects of the action. */
  consequence?: ReactNode;
  /** What is affected, below the sentence. */
  children?: ReactNode;
  busy: boolean;
  /** Why the action failed, shown in the dialog. */
  error: Error | null;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something that can't be undone. */
export function ConfirmDialog({ opened, verb, subject, buttonLabel = verb, consequence, ...rest }: ConfirmDialogProps) {
  const { children, busy, error, onConfirm, onClose } = rest;
  return (
    <Modal opened={opened} onClose={onClose} title={`${verb} “${subject}”?`}>
      <Stack gap={12}>
        {consequence ? <Text size="sm">{consequence}</Text> : null}
        {children}
        {error ? <ErrorNotice error={error} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color="red.9" loading={busy} onClick={onConfirm}>
            {buttonLabel}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
