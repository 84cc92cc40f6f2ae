/** Records of one shard, after one and up to another. */
export interface ShardRange {
  shard: string;
  /** Sequence number of the record before; empty = from where the pipe began. */
  from: string;
  /** Of the last record; the same as `from` when there is none. */
  to: string;
  records: number;
  /** The shard is closed and has nothing after this. */
  isEnd: boolean;
}

/** Ranges of a stream; shards of another one that was made anew have the same names. */
export interface StreamRanges {
  created: string;
  ranges: readonly ShardRange[];
}

type RangeTuple = [shard: string, from: string, to: string, records: number, isEnd: 0 | 1];

/** The same ranges have the same text, in whichever order they were read. */
export function rangesText({ created, ranges }: StreamRanges): string {
  const tuples = ranges
    .toSorted((a, b) => (a.shard < b.shard ? -1 : 1))
    .map(({ shard, from, to, records, isEnd }): RangeTuple => [shard, from, to, records, isEnd ? 1 : 0]);
  return JSON.stringify([created, tuples]);
}

/** Of a text that `rangesText` has made. */
export function parseRanges(text: string): StreamRanges {
  // Only this program writes the ledger.
  const [created, tuples] = JSON.parse(text) as [string, RangeTuple[]];
  const ranges = tuples.map(([shard, from, to, records, isEnd]) => ({ shard, from, to, records, isEnd: isEnd === 1 }));
  return { created, ranges };
}

/** Sequence numbers are decimal and have no fixed length. */
export function isAfter(sequence: string, other: string): boolean {
  return sequence.length === other.length ? sequence > other : sequence.length > other.length;
}
