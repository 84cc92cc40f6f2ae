import { parseInstant } from '../../kernel/instant.ts';
import type { SearchQuery } from '../../query/search-query.ts';
import type { QueryResult } from '../../telemetry/ports.ts';
import { withCostOf } from './cost-of-both.ts';
import type { PageReading } from './page-reading.ts';
import { readNearest } from './read-nearest.ts';

/**
 * One page of events. Sorting all events by all that is selected would read every wide column of the range, so the page
 * is first read by its order alone. Only where events that are equal in that lie on both sides of an edge of the page
 * does it matter which of them are on it: then the page is read once more with an order among equals, over the times
 * that it spans.
 */
export async function readPage(reading: PageReading): Promise<QueryResult> {
  const { query, run } = reading;
  const found = await readNearest(query, reading);
  const page = new Page(found, query, reading.order.length);
  if (!page.cutsEquals()) return page.result();
  const narrowed = { ...query, range: page.spannedRange(reading) };
  const exact = await run(reading.compileExact(narrowed));
  return withCostOf(found, exact);
}

/** What `compileSearchPage` found: the page between its neighbours, the selected columns before those of the order. */
class Page {
  readonly #found: QueryResult;
  readonly #keys: number;
  readonly #query: SearchQuery;
  readonly #first: number;
  readonly #end: number;

  constructor(found: QueryResult, query: SearchQuery, keys: number) {
    this.#found = found;
    this.#query = query;
    this.#keys = found.columns.length - keys;
    this.#first = query.offset > 0 ? 1 : 0;
    this.#end = Math.min(found.rows, this.#first + query.limit);
  }

  /** Whether an event outside of the page is equal to one of it in all that orders them. */
  cutsEquals(): boolean {
    if (this.#end <= this.#first) return false;
    const startsInside = this.#first > 0 && this.#keyOf(this.#first - 1) === this.#keyOf(this.#first);
    return startsInside || (this.#end < this.#found.rows && this.#keyOf(this.#end - 1) === this.#keyOf(this.#end));
  }

  /** The page alone; equal events in the order of what is selected, so that the same page looks the same again. */
  result(): QueryResult {
    const { names, types, columns } = this.#found;
    const rows = Array.from({ length: Math.max(0, this.#end - this.#first) }, (_, index) => this.#first + index);
    const sorted = this.#inOrder(rows);
    return {
      ...this.#found,
      names: names.slice(0, this.#keys),
      types: types.slice(0, this.#keys),
      columns: columns.slice(0, this.#keys).map((column) => sorted.map((row) => column[row])),
      rows: sorted.length,
    };
  }

  /** From the furthest end of the range to the last event of the page, where time orders the events first. */
  spannedRange({ order, timestampColumn }: PageReading): SearchQuery['range'] {
    const { range } = this.#query;
    const [first] = order;
    const last = this.#found.columns[this.#keys]?.[this.#end - 1];
    const lastMs = typeof last === 'string' ? parseInstant(last) : undefined;
    if (first?.column !== timestampColumn || lastMs === undefined) return range;
    if (first.descending) return { ...range, startMs: Math.max(range.startMs, Math.floor(lastMs)) };
    return { ...range, endMs: Math.min(range.endMs, Math.floor(lastMs) + 1) };
  }

  #inOrder(rows: readonly number[]): number[] {
    const keys = new Map(rows.map((row) => [row, this.#keyOf(row)]));
    const groups: number[][] = [];
    for (const row of rows) {
      const group = groups.at(-1);
      if (group?.[0] !== undefined && keys.get(group[0]) === keys.get(row)) group.push(row);
      else groups.push([row]);
    }
    return groups.flatMap((group) => (group.length === 1 ? group : this.#sorted(group)));
  }

  #sorted(group: readonly number[]): number[] {
    const selected = this.#found.columns.slice(0, this.#keys);
    const shown = new Map(group.map((row) => [row, selected.map((column) => column[row])]));
    return group.toSorted((one, other) => compareRows(shown.get(one) ?? [], shown.get(other) ?? []));
  }

  #keyOf(row: number): string {
    return JSON.stringify(this.#found.columns.slice(this.#keys).map((column) => column[row]));
  }
}

function compareRows(one: readonly unknown[], other: readonly unknown[]): number {
  for (const [index, value] of one.entries()) {
    const order = compareValues(value, other[index]);
    if (order !== 0) return order;
  }
  return 0;
}

function compareValues(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  const [left, right] = [textOf(one), textOf(other)];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
