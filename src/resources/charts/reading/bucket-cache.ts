import type { QueryResult, Stretch, WriteTracker } from '../../../telemetry/ports.ts';

/** How much of an answer was remembered; `off`: it may not be. */
export type CacheUse = 'hit' | 'partial' | 'miss' | 'off';

/** The rows of one bucket: the columns of the scan's result without its time. */
export interface BucketRows {
  columns: readonly (readonly unknown[])[];
  rows: number;
  bytes: number;
}

/** The rows of a whole bucket, and where it ends. */
export interface CachedBucket extends BucketRows {
  endMs: number;
}

/** What a scan's buckets are: whose, of what. */
export interface BucketKey {
  /** Everything that the values depend on but the time, and the tenant. */
  text: string;
  database: string;
  table: string;
}

interface Entry {
  /** All that was written before this point is in the buckets. */
  mark: number;
  buckets: Map<number, CachedBucket>;
  bytes: number;
}

const entryBytes = 2_000;
const bucketBytes = 200;
/** A chart has at most this many buckets; more are those of ranges that have gone by. */
const bucketsMax = 20_000;

/**
 * Caches the values of whole buckets. A bucket is dropped as soon as a row is written into it, so that a cached value
 * is always what a read would find. Bounded in bytes; the least recently requested charts are evicted first.
 */
export class BucketCache {
  readonly #bytesMax: number;
  readonly #onUse: (use: CacheUse) => void;
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  /** `onUse` hears of every scan that was answered. */
  constructor(bytesMax: number, onUse: (use: CacheUse) => void = () => {}) {
    this.#bytesMax = bytesMax;
    this.#onUse = onUse;
  }

  /** Charts of which buckets are remembered. */
  get entries(): number {
    return this.#entries.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  used(use: CacheUse): void {
    this.#onUse(use);
  }

  /** The buckets of this key that are still true. */
  find(key: BucketKey, writes: WriteTracker): ReadonlyMap<number, CachedBucket> {
    const entry = this.#entries.get(key.text);
    if (!entry) return new Map();
    const mark = writes.mark();
    const written = writes.writtenSince(key.database, key.table, entry.mark);
    if (written === 'everything') {
      this.#remove(key.text, entry);
      return new Map();
    }
    entry.mark = mark;
    this.#drop(entry, (startMs, endMs) => touches(written, startMs, endMs));
    // Last used is last in the map.
    this.#entries.delete(key.text);
    this.#entries.set(key.text, entry);
    return entry.buckets;
  }

  /** Keeps buckets that were read after `mark`, but for those that something was written into meanwhile. */
  keep(key: BucketKey, fresh: ReadonlyMap<number, CachedBucket>, mark: number, writes: WriteTracker): void {
    const written = writes.writtenSince(key.database, key.table, mark);
    if (written === 'everything') return;
    const entry = this.#entries.get(key.text) ?? this.#open(key.text, mark);
    for (const [startMs, rows] of fresh) {
      if (touches(written, startMs, rows.endMs)) continue;
      this.#forget(entry, startMs);
      entry.buckets.set(startMs, rows);
      this.#grow(entry, rows.bytes + bucketBytes);
    }
    for (const startMs of entry.buckets.keys()) {
      if (entry.buckets.size <= bucketsMax) break;
      this.#forget(entry, startMs);
    }
    this.#shrink();
  }

  #open(text: string, mark: number): Entry {
    const entry: Entry = { mark, buckets: new Map(), bytes: 0 };
    this.#entries.set(text, entry);
    this.#grow(entry, entryBytes + text.length);
    return entry;
  }

  #drop(entry: Entry, isDropped: (startMs: number, endMs: number) => boolean): void {
    for (const [startMs, { endMs }] of entry.buckets) if (isDropped(startMs, endMs)) this.#forget(entry, startMs);
  }

  #forget(entry: Entry, startMs: number): void {
    const rows = entry.buckets.get(startMs);
    if (!rows) return;
    entry.buckets.delete(startMs);
    this.#grow(entry, -rows.bytes - bucketBytes);
  }

  #grow(entry: Entry, bytes: number): void {
    entry.bytes += bytes;
    this.#bytes += bytes;
  }

  #remove(text: string, entry: Entry): void {
    this.#entries.delete(text);
    this.#bytes -= entry.bytes;
  }

  #shrink(): void {
    for (const [text, entry] of this.#entries) {
      if (this.#bytes <= this.#bytesMax) return;
      this.#remove(text, entry);
    }
  }
}

function touches(written: readonly Stretch[], startMs: number, endMs: number): boolean {
  return written.some((stretch) => stretch.startMs < endMs && stretch.endMs > startMs);
}

/** The rows of a result by bucket; buckets in which nothing matched are left out. */
export function rowsByBucket(result: QueryResult, groupFields: number, seriesCount: number): Map<number, BucketRows> {
  const width = groupFields + 2 * seriesCount;
  const columns = result.columns.slice(1, 1 + width);
  const counts = Array.from({ length: seriesCount }, (_, series) => columns[groupFields + 2 * series] ?? []);
  const kept = new Map<number, number[]>();
  for (let row = 0; row < result.rows; row++) {
    if (counts.every((count) => Number(count[row]) === 0)) continue;
    const bucketMs = Number(result.columns[0]?.[row]);
    const rows = kept.get(bucketMs);
    if (rows) rows.push(row);
    else kept.set(bucketMs, [row]);
  }
  return new Map([...kept].map(([bucketMs, rows]) => [bucketMs, pickRows(columns, rows)]));
}

export const noRows: BucketRows = Object.freeze({ columns: [], rows: 0, bytes: 0 });

function pickRows(columns: readonly (readonly unknown[])[], rows: readonly number[]): BucketRows {
  const picked = columns.map((column) => rows.map((row) => column[row]));
  let bytes = 0;
  for (const column of picked)
    for (const value of column) bytes += typeof value === 'string' ? 24 + value.length * 2 : 8;
  return { columns: picked, rows: rows.length, bytes: bytes + picked.length * 40 };
}
