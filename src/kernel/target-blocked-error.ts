import type { InOwnWords } from './logged-error.ts';

/** A request must not go there. The message is for the person who entered the address and names no resolved one. */
export class TargetBlockedError extends Error implements InOwnWords {
  readonly inOwnWords = true;

  constructor(message: string) {
    super(message);
    this.name = 'TargetBlockedError';
  }
}
