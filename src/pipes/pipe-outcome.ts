import { DestinationError } from './destination-port.ts';
import { LeaseLostError } from './pipe-ledger.ts';
import { SourceError } from './source-port.ts';

/** Why a worker is asked to stop. */
export type StopCause = 'halt' | 'edit' | 'lost' | 'shutdown';

/** How a run of a pipe ended. */
export type PipeOutcome =
  | { kind: 'completed' }
  | { kind: 'stopped'; cause: StopCause }
  | { kind: 'trouble' | 'failed'; reason: string }
  | { kind: 'crashed'; error: unknown };

/** What stops a pipe for good, found before its source is asked: settings, secrets, limits. */
export class PipeFailedError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'PipeFailedError';
  }
}

export function outcomeOf(error: unknown): PipeOutcome {
  if (error instanceof LeaseLostError) return { kind: 'stopped', cause: 'lost' };
  if (error instanceof PipeFailedError) return { kind: 'failed', reason: error.message };
  if (error instanceof SourceError || error instanceof DestinationError) {
    return { kind: error.kind === 'away' ? 'trouble' : 'failed', reason: error.message };
  }
  return { kind: 'crashed', error };
}
