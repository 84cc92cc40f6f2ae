/** As many edits can be taken back. */
const stepsMax = 50;

/** One thing and the edits made of it; each state is whole. */
export interface EditHistory<T> {
  past: readonly T[];
  now: T;
  /** Taken back, the next first. */
  future: readonly T[];
}

export function edited<T>({ past, now }: EditHistory<T>, next: T): EditHistory<T> {
  return { past: [...past, now].slice(-stepsMax), now: next, future: [] };
}

/** Nothing changes when nothing can be taken back. */
export function undone<T>(history: EditHistory<T>): EditHistory<T> {
  const before = history.past.at(-1);
  if (before === undefined) return history;
  return { past: history.past.slice(0, -1), now: before, future: [history.now, ...history.future] };
}

export function redone<T>(history: EditHistory<T>): EditHistory<T> {
  const [next, ...future] = history.future;
  if (next === undefined) return history;
  return { past: [...history.past, history.now], now: next, future };
}
