import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';

export interface DiscardDialogProps {
  /** Name of what was changed. */
  subject: string;
  onDiscard: () => void;
  onStay: () => void;
}

/** Asks whether what was changed and not saved may be lost. */
export function DiscardDialog({ subject, onDiscard, onStay }: DiscardDialogProps) {
  return (
    <ConfirmDialog
      opened
      verb="Discard changes of"
      subject={subject}
      consequence="What you changed here is not saved yet."
      busy={false}
      error={null}
      onConfirm={onDiscard}
      onClose={onStay}
    />
  );
}
