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
    // Created for each question: one opened while the previous one fades would fade with it.
    question: isAsking ? <DiscardDialog subject={subject} onDiscard={onClose} onStay={() => setAsking(false)} /> : null,
  };
}
