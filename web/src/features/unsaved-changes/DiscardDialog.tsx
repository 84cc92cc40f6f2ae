import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';

export interface DiscardDialogProps {
  /** Name of what was changed. */
  subject: string;
  onDiscard: () => void;
  onStay: () => void;
}

/** Asks whether to discard unsaved changes. */
export function DiscardDialog({ subject, onDiscard, onStay }: DiscardDialogProps) {
  return (
    <ConfirmDialog
      opened
      verb="Discard changes to"
      buttonLabel="Discard changes"
      subject={subject}
      consequence="Your changes have not been saved."
      busy={false}
      error={null}
      onConfirm={onDiscard}
      onClose={onStay}
    />
  );
}
