import { useSyncExternalStore } from 'react';
import { isSessionEnded, watchSessionEnd } from '../../api/session-end.ts';
import { useLoadedOnPress } from '../../ui/use-loaded-on-press.ts';

const load = async () => (await import('./LogInDialog.tsx')).LogInDialog;

/** Asks for the password when the session has ended under an open page, which keeps what was edited on it. */
export function LogInOver() {
  const isEnded = useSyncExternalStore(watchSessionEnd, isSessionEnded);
  const LogInDialog = useLoadedOnPress(load, isEnded);
  return isEnded && LogInDialog ? <LogInDialog /> : null;
}
