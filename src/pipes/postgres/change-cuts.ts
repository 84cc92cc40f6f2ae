import type { Clock } from '../../kernel/clock.ts';
import type { Lsn } from './lsn.ts';
import type { Relation, RowMessage } from './pgoutput.ts';
import type { ReplicationStream, StreamMessage } from './replication-stream.ts';
import { isTaken, type StreamPosition } from './stream-position.ts';

/** A change of rows, with the relation as it was then. */
export type Change =
  | { lsn: Lsn; relation: Relation; message: RowMessage }
  | { lsn: Lsn; truncated: readonly Relation[] };

/** Changes that are written together, up to a place in the stream. */
export interface Cut {
  changes: readonly Change[];
  to: StreamPosition;
  /** Everything before it may be forgotten by the server once the cut is durable. */
  confirmLsn: Lsn;
  bytes: number;
  /** When the last of them was committed. */
  commitMs: number;
}

interface CutOrder {
  from: StreamPosition;
  /** Where the first cut has to end: it was begun before the process died. */
  plannedEnd: StreamPosition | undefined;
  changesMax: number;
  bytesMax: number;
  syncIntervalMs: number;
  clock: Clock;
  signal: AbortSignal;
  /** Everything that the server has sent is durable. */
  onCaughtUp(): void;
}

/** How often a stream without news says so. */
const idleMs = 5_000;

/** Cuts the stream where enough changes are together, or the first of them has waited long enough. */
export class ChangeCutter {
  readonly #stream: Pick<ReplicationStream, 'take' | 'confirm'>;
  readonly #order: CutOrder;
  readonly #relations = new Map<number, Relation>();
  #planned: StreamPosition | undefined;
  #taken: StreamPosition;
  #transaction: { commitLsn: Lsn; commitMs: number; changes: number } | undefined;
  #changes: Change[] = [];
  #bytes = 0;
  #firstMs = 0;
  #commitMs = 0;
  #isCaughtUp = false;
  /** After the last transaction that was received whole. */
  #completeLsn: Lsn = 0n;

  constructor(stream: Pick<ReplicationStream, 'take' | 'confirm'>, order: CutOrder) {
    this.#stream = stream;
    this.#order = order;
    this.#taken = order.from;
    this.#planned = order.plannedEnd;
  }

  /** The next cut; its changes must be durable before the one after it is asked for. `undefined` when the signal aborts. */
  async next(): Promise<Cut | undefined> {
    const { signal } = this.#order;
    while (!signal.aborted) {
      const message = await this.#stream.take(this.#waitMs());
      if (message) this.#take(message);
      else if (this.#isCaughtUp) this.#order.onCaughtUp();
      if (this.#isDue()) return this.#cut();
    }
    return undefined;
  }

  #waitMs(): number {
    const { clock, syncIntervalMs } = this.#order;
    if (this.#changes.length === 0 || this.#planned) return idleMs;
    return Math.max(0, this.#firstMs + syncIntervalMs - clock.nowMs());
  }

  #isDue(): boolean {
    const { changesMax, bytesMax, clock, syncIntervalMs } = this.#order;
    if (this.#changes.length === 0) return false;
    if (this.#planned) return reaches(this.#taken, this.#planned);
    if (this.#changes.length >= changesMax || this.#bytes >= bytesMax) return true;
    return clock.nowMs() - this.#firstMs >= syncIntervalMs;
  }

  #cut(): Cut {
    const cut = {
      changes: this.#changes,
      to: this.#taken,
      confirmLsn: this.#completeLsn,
      bytes: this.#bytes,
      commitMs: this.#commitMs,
    };
    this.#changes = [];
    this.#bytes = 0;
    this.#planned = undefined;
    return cut;
  }

  #take(message: StreamMessage): void {
    switch (message.tag) {
      case 'begin':
        this.#transaction = { commitLsn: message.commitLsn, commitMs: message.commitMs, changes: 0 };
        return;
      case 'relation':
        this.#relations.set(message.relation.oid, message.relation);
        return;
      case 'commit':
        this.#complete(message.endLsn);
        return;
      case 'keepalive':
        this.#idle(message.endLsn);
        return;
      case 'truncate': {
        const truncated = message.oids.flatMap((oid) => this.#relations.get(oid) ?? []);
        this.#add({ lsn: message.lsn, truncated }, message.bytes);
        return;
      }
      default: {
        const relation = this.#relations.get(message.oid);
        if (!relation) throw new Error('a change came before its relation');
        this.#add({ lsn: message.lsn, relation, message }, message.bytes);
      }
    }
  }

  #add(change: Change, bytes: number): void {
    if (!this.#transaction) throw new Error('a change came outside a transaction');
    const { commitLsn, commitMs } = this.#transaction;
    const number = this.#transaction.changes++;
    if (isTaken(this.#taken, commitLsn, number)) return;
    this.#isCaughtUp = false;
    if (this.#changes.length === 0) this.#firstMs = this.#order.clock.nowMs();
    this.#changes.push(change);
    this.#bytes += bytes;
    this.#commitMs = commitMs;
    this.#taken = { commitLsn, changes: number + 1 };
  }

  #complete(endLsn: Lsn): void {
    const { commitLsn = 0n } = this.#transaction ?? {};
    this.#transaction = undefined;
    this.#completeLsn = endLsn;
    if (commitLsn === this.#taken.commitLsn) this.#taken = { commitLsn, changes: 'all' };
    // A transaction without changes of ours, or one that was durable before.
    if (this.#changes.length === 0) this.#stream.confirm(endLsn);
  }

  #idle(endLsn: Lsn): void {
    if (this.#changes.length > 0 || this.#transaction) return;
    this.#stream.confirm(endLsn);
    this.#isCaughtUp = true;
    this.#order.onCaughtUp();
  }
}

function reaches({ commitLsn, changes }: StreamPosition, end: StreamPosition): boolean {
  if (commitLsn !== end.commitLsn) return commitLsn > end.commitLsn;
  if (changes === 'all') return true;
  return end.changes !== 'all' && changes >= end.changes;
}
