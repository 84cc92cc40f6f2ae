import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { ErrorNotice } from './ErrorNotice.tsx';

export interface ConfirmButtonProps {
  /** What the button does: "Revoke". */
  verb: string;
  /** What it does it to, for those who hear the page: "ci". */
  subject: string;
  /** What happens then, and to whom. */
  consequence: ReactNode;
  onConfirm: () => Promise<unknown>;
}

/** A button for what can't be undone: asks first, and shows why it failed where it was asked. */
export function ConfirmButton({ verb, subject, consequence, onConfirm }: ConfirmButtonProps) {
  const [opened, { open, close }] = useDisclosure();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error>();
  const confirm = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await onConfirm();
      close();
    } catch (reason) {
      setError(reason instanceof Error ? reason : new Error('That failed.'));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button variant="default" onClick={open} aria-label={`${verb} ${subject}`}>
        {verb}
      </Button>
      <Modal
        lockScroll={false}
        opened={opened}
        onClose={close}
        title={`${verb} “${subject}”?`}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Stack gap={12}>
          <Text size="sm">{consequence}</Text>
          {error ? <ErrorNotice error={error} /> : null}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button color="red" loading={busy} onClick={confirm}>
              {verb}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
