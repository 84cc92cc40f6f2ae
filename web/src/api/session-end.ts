/**
 * What happens when a session ends while a page is open: requests wait, so that nothing on the page is lost, until the
 * same person has logged in again. Left by another way, they fail.
 */

interface Pause {
  ended: Promise<void>;
  resume: () => void;
  abandon: (reason: Error) => void;
}

function newPause(): Pause {
  let resume = () => {};
  let abandon: Pause['abandon'] = () => {};
  const ended = new Promise<void>((resolve, reject) => {
    resume = resolve;
    abandon = reject;
  });
  // If no request waits, leaving is no failure.
  ended.catch(() => {});
  return { ended, resume, abandon };
}

let pause: Pause | undefined;
const listeners = new Set<() => void>();

function change(next: Pause | undefined): void {
  pause = next;
  for (const listener of listeners) listener();
}

/** For `useSyncExternalStore`. */
export function watchSessionEnd(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function isSessionEnded(): boolean {
  return pause !== undefined;
}

/** Resolves immediately while the session lasts. Rejects if it is not continued. */
export async function untilSessionContinues(): Promise<void> {
  await pause?.ended;
}

/** The server knows of no session any more: resolves when there is one again. */
export function waitForSession(): Promise<void> {
  if (!pause) change(newPause());
  return untilSessionContinues();
}

/** The same person is logged in again: whatever waits is sent. */
export function continueSession(): void {
  pause?.resume();
  change(undefined);
}

/** Someone else logs in, or nobody: what waits must not be sent on their behalf. */
export function abandonSession(): void {
  pause?.abandon(new Error('You are no longer logged in.'));
  change(undefined);
}
