import { useState } from 'react';
import { DiscardDialog } from './DiscardDialog.tsx';

export interface CloseGuard {
  /** There is something that closing would lose. */
  isChanged: boolean;
  /** Name of what was changed. */
  subject: string;
  onClose: () => void;
}

/** Escape and a click beside a dialog ask before they lose what was changed in it. `question` belongs into the page. */
export function useCloseGuard({ isChanged, subject, onClose }: CloseGuard) {
  const [isAsking, setAsking] = useState(false);
  return {
    close: () => (isChanged ? setAsking(true) : onClose()),
    // Made anew for each question: one that is asked while the last one still fades would fade with it.
    question: isAsking ? <DiscardDialog subject={subject} onDiscard={onClose} onStay={() => setAsking(false)} /> : null,
  };
}
