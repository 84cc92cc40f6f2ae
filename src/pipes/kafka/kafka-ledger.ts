import type { LedgerEntry, PipeLedger } from '../pipe-ledger.ts';
import { keyOf } from './kafka-cluster.ts';
import { type OffsetRange, parseRanges, rangesText } from './offset-range.ts';

/** How far a partition has been written. */
export interface PartitionPosition {
  offset: number;
  resets: number;
}

/** A batch that was about to be written. */
export interface PlannedBatch {
  key: string;
  sequence: number;
  ranges: readonly OffsetRange[];
}

interface Place {
  topic: string;
  partition: number;
}

const plansMax = 1_000;
const topicsMax = 10_000;

/** What the ledger has of a Kafka source: ids of topics, positions of partitions, batches that were begun. */
export class KafkaLedger {
  readonly #pipeId: string;
  readonly #ledger: Pick<PipeLedger, 'find' | 'list'>;

  constructor(pipeId: string, ledger: Pick<PipeLedger, 'find' | 'list'>) {
    this.#pipeId = pipeId;
    this.#ledger = ledger;
  }

  /** In the order in which they were begun. */
  async plans(): Promise<PlannedBatch[]> {
    const entries = await this.#ledger.list(this.#pipeId, 'plan ', plansMax);
    return entries.flatMap(({ key, position }) =>
      position === undefined
        ? []
        : [{ key, sequence: Number(key.slice('plan '.length)), ranges: parseRanges(position) }],
    );
  }

  /** Ids of topics that have been read, by name. */
  async topicIds(): Promise<Map<string, string>> {
    const entries = await this.#ledger.list(this.#pipeId, 'topic ', topicsMax);
    return new Map(
      entries.flatMap(({ key, position }) => (position === undefined ? [] : [[key.slice('topic '.length), position]])),
    );
  }

  /** By `keyOf`. */
  async positions(places: readonly Place[]): Promise<Map<string, PartitionPosition>> {
    const found = await this.#ledger.find(
      this.#pipeId,
      places.map((place) => offsetKey(place)),
    );
    return new Map(
      places.flatMap((place) => {
        const [offset, resets = '0'] = found.get(offsetKey(place))?.split(' ') ?? [];
        return offset === undefined ? [] : [[keyOf(place), { offset: Number(offset), resets: Number(resets) }]];
      }),
    );
  }
}

export function topicEntry(name: string, id: string): LedgerEntry {
  return { key: `topic ${name}`, position: id };
}

export function positionEntry(place: Place, { offset, resets }: PartitionPosition): LedgerEntry {
  return { key: offsetKey(place), position: resets === 0 ? String(offset) : `${offset} ${resets}` };
}

export function planKey(sequence: number): string {
  return `plan ${String(sequence).padStart(15, '0')}`;
}

export function planEntry(key: string, ranges: readonly OffsetRange[]): LedgerEntry {
  return { key, position: rangesText(ranges) };
}

function offsetKey(place: Place): string {
  return `offset ${keyOf(place)}`;
}
