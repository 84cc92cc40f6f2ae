import type { PipeDefinition } from './pipe-definition.ts';
import type { SourceJob } from './source-port.ts';

/** Looks at a source as a pipe without a ledger: nothing is remembered of what is read. */
export function dryJob(pipe: PipeDefinition, limits: SourceJob['limits'], signal: AbortSignal): SourceJob {
  return {
    pipe,
    limits,
    ledger: { find: async () => new Map(), list: async () => [] },
    plan: async () => {},
    onLag: () => {},
    onLagBytes: () => {},
    signal,
  };
}
