import { parseInstant } from '../../kernel/instant.ts';
import type { SearchQuery } from '../../query/search-query.ts';
import type { QueryResult } from '../../telemetry/ports.ts';
import type { PageReading } from './page-reading.ts';
import { readNearest } from './read-nearest.ts';
import { readPage } from './read-page.ts';

/** A millisecond with too many events for a page is read in one piece, if it has no more than this many pages. */
const denseFactor = 4;

/**
 * Reads a search page after page. Where time orders the events first, a page ends between two milliseconds and the next
 * one begins there: whatever arrives meanwhile, no event is read twice or passed over. Only a millisecond with events
 * for several pages, and any other order, is read by offset.
 */
export class ExportCursor {
  readonly #reading: PageReading;
  readonly #newestFirst: boolean;
  #range: SearchQuery['range'];
  /** A millisecond that is read by offset, and how many of its events were. */
  #dense: { startMs: number; read: number } | undefined;
  #byTime: boolean;
  #offset = 0;
  #isDone = false;

  constructor(reading: PageReading) {
    const [first] = reading.order;
    this.#reading = reading;
    this.#range = reading.query.range;
    this.#byTime = first?.column === reading.timestampColumn;
    this.#newestFirst = first?.descending === true;
  }

  /**
   * The next events: about as many as wanted, never more than `rowsMax`; `undefined` after the last one. Throws as
   * `PageReading.run` does.
   */
  async next(rowsWanted: number, rowsMax: number): Promise<QueryResult | undefined> {
    while (!this.#isDone) {
      const page = await this.#read(Math.min(rowsWanted, rowsMax), rowsMax);
      if (page && page.rows > 0) return page;
    }
    return undefined;
  }

  #read(rows: number, rowsMax: number): Promise<QueryResult | undefined> {
    if (!this.#byTime) return this.#readByOffset(rows);
    if (!this.#dense) return this.#readByTime(rows);
    return this.#readDense(this.#dense, Math.min(rows * denseFactor, rowsMax));
  }

  async #readByOffset(rowsMax: number): Promise<QueryResult> {
    const page = await this.#page({ offset: this.#offset, limit: rowsMax });
    this.#offset += page.rows;
    this.#isDone = page.rows < rowsMax;
    return page;
  }

  async #readDense(dense: { startMs: number; read: number }, rowsMax: number): Promise<QueryResult> {
    const { startMs, read } = dense;
    const range = this.#within({ startMs, endMs: startMs + 1 });
    const page = await this.#page({ range, offset: read, limit: rowsMax });
    dense.read += page.rows;
    if (page.rows < rowsMax) {
      this.#dense = undefined;
      this.#continueAt(this.#newestFirst ? startMs : startMs + 1);
    }
    return page;
  }

  /** @returns `undefined` if the page would end within the millisecond that it begins in */
  async #readByTime(rowsMax: number): Promise<QueryResult | undefined> {
    const { query, order } = this.#reading;
    // One event more than that is read, which is not on the page.
    const page = { ...query, range: this.#range, offset: 0, limit: rowsMax };
    const found = await readNearest(page, this.#reading);
    const times = found.columns[found.columns.length - order.length] ?? [];
    if (found.rows <= rowsMax) {
      this.#isDone = true;
      return firstRows(found, found.rows, order.length);
    }
    const beyondMs = millisecondOf(times[rowsMax]);
    if (beyondMs === undefined) {
      // The column holds something else than instants, a number for one.
      this.#byTime = false;
      return undefined;
    }
    let rows = rowsMax;
    while (rows > 0 && millisecondOf(times[rows - 1]) === beyondMs) rows -= 1;
    if (rows === 0) {
      this.#dense = { startMs: beyondMs, read: 0 };
      return undefined;
    }
    this.#continueAt(this.#newestFirst ? beyondMs + 1 : beyondMs);
    return firstRows(found, rows, order.length);
  }

  #page(part: Partial<SearchQuery>): Promise<QueryResult> {
    return readPage({ ...this.#reading, query: { ...this.#reading.query, ...part } });
  }

  #continueAt(edgeMs: number): void {
    if (this.#newestFirst) this.#range = { ...this.#range, endMs: Math.min(this.#range.endMs, edgeMs) };
    else this.#range = { ...this.#range, startMs: Math.max(this.#range.startMs, edgeMs) };
    this.#isDone = this.#range.startMs >= this.#range.endMs;
  }

  #within({ startMs, endMs }: SearchQuery['range']): SearchQuery['range'] {
    return { startMs: Math.max(startMs, this.#range.startMs), endMs: Math.min(endMs, this.#range.endMs) };
  }
}

function millisecondOf(time: unknown): number | undefined {
  const ms = typeof time === 'string' ? parseInstant(time) : undefined;
  return ms === undefined ? undefined : Math.floor(ms);
}

/** The first rows of a page without the columns that it is ordered by. */
function firstRows(found: QueryResult, rows: number, keys: number): QueryResult {
  const { names, types, columns } = found;
  const selected = columns.length - keys;
  return {
    ...found,
    names: names.slice(0, selected),
    types: types.slice(0, selected),
    columns: columns.slice(0, selected).map((column) => column.slice(0, rows)),
    rows,
  };
}
