import type { InOwnWords } from './logged-error.ts';

/** Why a store cannot do its work right now. */
export type StoreFailure = 'unreachable' | 'silent' | 'refused' | 'busy' | 'full' | 'read_only' | 'failing' | 'damaged';

const passing: ReadonlySet<StoreFailure> = new Set(['unreachable', 'silent', 'busy']);

/** Whether it may end without anyone changing a setting or freeing a disk. */
export function isPassing(failure: StoreFailure): boolean {
  return passing.has(failure);
}

export type StorePart = 'metadata' | 'telemetry';

const stores: Readonly<Record<StorePart, string>> = { metadata: 'metadata store', telemetry: 'telemetry store' };

const failures: Readonly<Record<StoreFailure, string>> = {
  unreachable: 'cannot be reached',
  silent: 'does not answer',
  refused: 'refuses the connection',
  busy: 'is busy',
  full: 'has no room left on its disk',
  read_only: 'cannot be written to',
  failing: 'cannot read or write its files',
  damaged: 'has a damaged file',
};

/**
 * A store that the program needs is unavailable; nothing was written, or the outcome is unknown. The same request may
 * succeed later. The message contains only our own text, so it may be shown to anyone and logged.
 */
export class StoreUnavailableError extends Error implements InOwnWords {
  readonly inOwnWords = true;
  readonly part: StorePart;
  readonly failure: StoreFailure;
  /** The store's own code for it, such as a SQLSTATE; for the log. */
  readonly code: string | undefined;

  constructor(part: StorePart, failure: StoreFailure, code?: string) {
    super(`The ${stores[part]} ${failures[failure]}.`);
    this.name = 'StoreUnavailableError';
    this.part = part;
    this.failure = failure;
    this.code = code;
  }
}
