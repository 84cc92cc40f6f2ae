import type { Lsn } from './lsn.ts';

/**
 * How far the stream of changes has been taken: the transaction, by the place of its commit, and how many of its changes.
 * Both are the same whenever PostgreSQL sends the transaction again.
 */
export interface StreamPosition {
  commitLsn: Lsn;
  /** `all`: the transaction is complete. */
  changes: number | 'all';
}

/** Before everything. */
export const streamStart: StreamPosition = { commitLsn: 0n, changes: 'all' };

export function printPosition({ commitLsn, changes }: StreamPosition): string {
  return `${commitLsn}:${changes}`;
}

export function parsePosition(text: string): StreamPosition {
  const [lsn = '0', changes = 'all'] = text.split(':');
  return { commitLsn: BigInt(lsn), changes: changes === 'all' ? 'all' : Number(changes) };
}

/** Whether the change with this number (from 0) in the transaction lies behind the position. */
export function isTaken(position: StreamPosition, commitLsn: Lsn, change: number): boolean {
  if (commitLsn !== position.commitLsn) return commitLsn < position.commitLsn;
  return position.changes === 'all' || change < position.changes;
}
