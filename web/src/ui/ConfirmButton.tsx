import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ConfirmDialog } from './ConfirmDialog.tsx';

export interface ConfirmButtonProps {
  /** What the button does: "Revoke". */
  verb: string;
  /** What it does it to, for those who hear the page: "ci". */
  subject: string;
  /** The effects of the action. */
  consequence: ReactNode;
  onConfirm: () => Promise<unknown>;
}

/** A button for what can't be undone: asks for confirmation, and shows failures in the same place. */
export function ConfirmButton({ verb, subject, consequence, onConfirm }: ConfirmButtonProps) {
  const [opened, { open, close }] = useDisclosure();
  const act = useMutation({ mutationFn: onConfirm, onSuccess: close });
  return (
    <>
      <Button variant="default" onClick={open} aria-label={`${verb} ${subject}`}>
        {verb}
      </Button>
      <ConfirmDialog
        opened={opened}
        verb={verb}
        subject={subject}
        consequence={consequence}
        busy={act.isPending}
        error={act.error}
        onConfirm={() => act.mutate()}
        onClose={close}
      />
    </>
  );
}
