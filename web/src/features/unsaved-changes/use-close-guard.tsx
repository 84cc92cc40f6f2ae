import { useState } from 'react';
import { DiscardDialog } from './DiscardDialog.tsx';

export interface CloseGuard {
  /** There are changes that would be lost. */
  isChanged: boolean;
  /** Name of what was changed. */
  subject: string;
  onClose: () => void;
}

/** Escape and a click outside a dialog ask before they discard changes. Render `question` in the page. */
export function useCloseGuard({ isChanged, subject, onClose }: CloseGuard) {
  const [isAsking, setAsking] = useState(false);
  return {
    close: () => (isChanged ? setAsking(true) : onClose()),
    // Made anew for each question: one that is asked while the last one still fades would fade with it.
    question: isAsking ? <DiscardDialog subject={subject} onDiscard={onClose} onStay={() => setAsking(false)} /> : null,
  };
}
