/** A stretch of time in one state. */
export interface StateSpan<State extends string = string> {
  startMs: number;
  endMs: number;
  state: State;
}

/**
 * Windows joined into runs of one state, oldest first, whatever the order they come in. Neighbours are joined when they
 * touch or overlap. Between windows that do not touch nothing was evaluated (the alert was off, or windows were skipped
 * after a pause): such a gap ends a run, also when both sides have the same state, and belongs to none.
 */
export function stateRuns<Span extends StateSpan>(windows: readonly Span[]): Span[] {
  const runs: Span[] = [];
  for (const window of windows.toSorted((a, b) => a.startMs - b.startMs)) {
    const last = runs.at(-1);
    if (last && last.state === window.state && window.startMs <= last.endMs) {
      last.endMs = Math.max(last.endMs, window.endMs);
    } else runs.push({ ...window });
  }
  return runs;
}
