import { useBlocker } from '@tanstack/react-router';
import { DiscardDialog } from './DiscardDialog.tsx';

export interface LeaveGuardProps {
  /** There is something that leaving would lose. */
  isChanged: boolean;
  /** Name of what was changed. */
  subject: string;
}

/** Asks before unsaved changes are left behind, by a link as by closing the tab. Another state of the same page is no leaving. */
export function LeaveGuard({ isChanged, subject }: LeaveGuardProps) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return <DiscardDialog subject={subject} onDiscard={blocker.proceed} onStay={blocker.reset} />;
}
