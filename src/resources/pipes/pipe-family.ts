import type { PipeFamily } from './pipe-transitions.ts';

/** Which states and commands a pipe has: one that reads a database is paused and may be resynced. */
export function familyOf({ source }: Readonly<Record<string, unknown>>): PipeFamily {
  return typeof source === 'object' && source !== null && 'postgres' in source ? 'database' : 'stream';
}
