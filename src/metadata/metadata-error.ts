import type { InOwnWords } from '../kernel/logged-error.ts';

/** `away`: the server does not answer yet; it may come without anyone changing a setting. */
export type MetadataErrorCode = 'away' | 'unreachable' | 'newer_schema' | 'misuse';

/** The metadata store could not be opened or was used wrongly. The message is for the log: it may name a file. */
export class MetadataError extends Error implements InOwnWords {
  readonly inOwnWords = true;
  readonly code: MetadataErrorCode;

  constructor(code: MetadataErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'MetadataError';
    this.code = code;
  }
}
