import { useBlocker } from '@tanstack/react-router';
import { DiscardDialog } from './DiscardDialog.tsx';

export interface UnsavedChangesGuardProps {
  /** There are changes that would be lost. */
  isChanged: boolean;
  /** Name of what was changed. */
  subject: string;
}

/** Asks before unsaved changes are lost, by a link or by closing the tab. Another state of the same page loses nothing. */
export function UnsavedChangesGuard({ isChanged, subject }: UnsavedChangesGuardProps) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return <DiscardDialog subject={subject} onDiscard={blocker.proceed} onStay={blocker.reset} />;
}
