/** A clock that is set back by less is waited for. */
export const setBackToleranceMs = 5 * 60_000;

/** Detects that a clock was set back, including before the first check. */
export class SetBackWatch {
  #seenMs = Number.POSITIVE_INFINITY;

  /** Whether the clock was set back since the last look, by more than is waited for. */
  wasSetBack(nowMs: number): boolean {
    const wasSetBack = nowMs < this.#seenMs - setBackToleranceMs;
    this.#seenMs = nowMs;
    return wasSetBack;
  }
}
