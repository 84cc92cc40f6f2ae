import { useBlocker } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';

const loadDialog = () => import('./DiscardDialog.tsx');
const DiscardDialog = lazy(async () => ({ default: (await loadDialog()).DiscardDialog }));

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
  useEffect(() => {
    // Before it is needed: by then the server may be gone, or a newer one.
    if (isChanged) void loadDialog().catch(() => {});
  }, [isChanged]);
  if (blocker.status !== 'blocked') return null;
  return (
    <Suspense fallback={null}>
      <DiscardDialog subject={subject} onDiscard={blocker.proceed} onStay={blocker.reset} />
    </Suspense>
  );
}
