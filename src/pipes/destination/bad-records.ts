/** A record that the table does not take. */
export interface BadRecord {
  index: number;
  reason: string;
}

/** What the engine said of a text that it could not read. */
export interface ReadFailure {
  /** Number of the record within the text, from 1, where the engine names it. */
  row?: number;
  reason: string;
}

/** Reads records `from` to `to` without storing them; `undefined` when all of them can be read. */
export type Probe = (from: number, to: number) => Promise<ReadFailure | undefined>;

/**
 * Finds the records that cannot be read, in order: the engine names the first one of a text, and what follows it is read
 * again. So a batch with few bad records is read little more than once. Ends after `max` + 1 of them.
 */
export async function findBadRecords(count: number, probe: Probe, max: number): Promise<BadRecord[]> {
  const bad: BadRecord[] = [];
  let from = 0;
  while (from < count && bad.length <= max) {
    const failure = await probe(from, count);
    if (!failure) break;
    const index = await locate(failure, { from, to: count }, probe);
    bad.push({ index, reason: failure.reason });
    from = index + 1;
  }
  return bad;
}

interface Range {
  from: number;
  to: number;
}

async function locate({ row }: ReadFailure, { from, to }: Range, probe: Probe): Promise<number> {
  if (row !== undefined && row >= 1 && from + row <= to) return from + row - 1;
  return bisect({ from, to }, probe);
}

/** The first record with which the text can no longer be read. */
async function bisect({ from, to }: Range, probe: Probe): Promise<number> {
  let [low, high] = [from, to];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (await probe(low, middle)) high = middle;
    else low = middle;
  }
  return low;
}
