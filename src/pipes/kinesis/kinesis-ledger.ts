import type { LedgerEntry, PipeLedger } from '../pipe-ledger.ts';
import type { ShardPosition } from './kinesis-stream.ts';
import { parseRanges, rangesText, type StreamRanges } from './shard-range.ts';

/** What holds for a stream from its first reading on. */
export interface KnownStream {
  created: string;
  /** Where its shards begin. */
  start: ShardPosition;
}

/** A batch that was about to be written. */
export interface PlannedBatch extends StreamRanges {
  key: string;
  sequence: number;
}

/** How far a shard has been written: the sequence number of its last record, or that it has no more. */
export type WrittenShard = { after: string } | 'end';

const plansMax = 1_000;
const shardsMax = 100_000;
const streamKey = 'stream';
const caughtUpKey = 'caught up';
const shardPrefix = 'shard ';
const planPrefix = 'plan ';
const endText = 'end';

/** What the ledger has of a Kinesis source: its stream, how far its shards are, batches that were begun. */
export class KinesisLedger {
  readonly #pipeId: string;
  readonly #ledger: Pick<PipeLedger, 'find' | 'list'>;

  constructor(pipeId: string, ledger: Pick<PipeLedger, 'find' | 'list'>) {
    this.#pipeId = pipeId;
    this.#ledger = ledger;
  }

  async stream(): Promise<KnownStream | undefined> {
    const text = (await this.#ledger.find(this.#pipeId, [streamKey])).get(streamKey);
    // Written by `streamEntry`.
    return text === undefined ? undefined : (JSON.parse(text) as KnownStream);
  }

  /** Everything that was written before this time has been read, if that is known. */
  async caughtUpMs(): Promise<number | undefined> {
    const text = (await this.#ledger.find(this.#pipeId, [caughtUpKey])).get(caughtUpKey);
    return text === undefined ? undefined : Number(text);
  }

  /** By the id of the shard. */
  async shards(): Promise<Map<string, WrittenShard>> {
    const entries = await this.#ledger.list(this.#pipeId, shardPrefix, shardsMax);
    return new Map(
      entries.map(({ key, position = '' }) => [
        key.slice(shardPrefix.length),
        position === endText ? endText : { after: position },
      ]),
    );
  }

  /** In the order in which they were begun. */
  async plans(): Promise<PlannedBatch[]> {
    const entries = await this.#ledger.list(this.#pipeId, planPrefix, plansMax);
    return entries.map(({ key, position = '' }) => ({
      key,
      sequence: Number(key.slice(planPrefix.length)),
      ...parseRanges(position),
    }));
  }
}

export function streamEntry(stream: KnownStream): LedgerEntry {
  return { key: streamKey, position: JSON.stringify(stream) };
}

export function caughtUpEntry(ms: number): LedgerEntry {
  return { key: caughtUpKey, position: String(ms) };
}

/** `undefined` forgets the shard. */
export function shardEntry(shard: string, written: WrittenShard | undefined): LedgerEntry {
  const position = written === 'end' ? endText : written?.after;
  return { key: shardPrefix + shard, position };
}

export function planKey(sequence: number): string {
  return planPrefix + String(sequence).padStart(15, '0');
}

export function planEntry(key: string, ranges: StreamRanges): LedgerEntry {
  return { key, position: rangesText(ranges) };
}
