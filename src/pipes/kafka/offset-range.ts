/** Records of one partition, from an offset to before another. */
export interface OffsetRange {
  topic: string;
  topicId: string;
  partition: number;
  /** How often offsets of the partition have begun anew. */
  resets: number;
  from: number;
  to: number;
}

type RangeTuple = [topic: string, topicId: string, partition: number, resets: number, from: number, to: number];

/** The same ranges have the same text, in whichever order they were read. */
export function rangesText(ranges: readonly OffsetRange[]): string {
  const tuples = ranges
    .toSorted((a, b) => (a.topic === b.topic ? a.partition - b.partition : a.topic < b.topic ? -1 : 1))
    .map(
      ({ topic, topicId, partition, resets, from, to }): RangeTuple => [topic, topicId, partition, resets, from, to],
    );
  return JSON.stringify(tuples);
}

/** Of a text that `rangesText` has made. */
export function parseRanges(text: string): OffsetRange[] {
  // Only this program writes the ledger.
  const tuples = JSON.parse(text) as RangeTuple[];
  return tuples.map(([topic, topicId, partition, resets, from, to]) => ({
    topic,
    topicId,
    partition,
    resets,
    from,
    to,
  }));
}
