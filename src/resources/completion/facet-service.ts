import { completionLimits, type Facet, type FacetsMeta, type FacetsRequest } from '../../contract/completion.ts';
import type { Clock } from '../../kernel/clock.ts';
import { compileEventCount, compileFacets } from '../../query/compile-completion.ts';
import type { FacetQuery } from '../../query/completion-query.ts';
import type { EventSourceSchema } from '../../query/source-schema.ts';
import type { QueryResult } from '../../telemetry/ports.ts';
import type { ReadableSources } from '../charts/reading/readable-sources.ts';
import { sliceRange } from '../charts/reading/time-slices.ts';
import { readInstantRange } from '../charts/request/instant-range.ts';
import {
  ask,
  type OpenSource,
  type OpenTable,
  openSource,
  completionLimits as readLimits,
  rejection,
} from './source-tables.ts';

export interface Facets {
  facets: Facet[];
  meta: FacetsMeta;
}

/** Tuning of what is counted exactly; smaller in tests. */
export interface FacetLimits {
  /** Rows that are read for exact counts; of longer ranges parts with about as many rows are read. */
  exactRowsMax: number;
  distinct: number;
}

export const facetLimits: FacetLimits = { exactRowsMax: 2_000_000, distinct: 200_000 };

/** Of a range that is sampled. */
const slicesCount = 32;

/** Counts the values of fields beside a search: all fields in one scan. */
export class FacetService {
  readonly #sources: ReadableSources;
  readonly #clock: Clock;
  readonly #limits: FacetLimits;

  constructor(sources: ReadableSources, clock: Clock, limits: FacetLimits = facetLimits) {
    this.#sources = sources;
    this.#clock = clock;
    this.#limits = limits;
  }

  /**
   * Exact when what the filter leaves of the range is small, else estimated from parts of it. Throws
   * `source_not_found`, `query_invalid` with path and position, `engine_unavailable`, ….
   */
  async count(tenantId: string, request: FacetsRequest, signal: AbortSignal): Promise<Facets> {
    const source = await this.#sources.get(tenantId, request.sourceId);
    const range = readInstantRange(request, this.#clock.nowMs());
    const open = await openSource(this.#sources, tenantId, source);
    const [table] = open.tables;
    if (!table) throw rejection(`The table of the source "${source.name}" does not exist.`);
    const { schema } = table;
    if (schema.kind === 'metric') throw rejection('sourceId: only events can be counted by their fields, not metrics.');
    const query: FacetQuery = {
      range,
      where: request.where ?? '',
      whereLanguage: request.whereLanguage ?? 'lucene',
      fields: request.fields,
      limit: request.limit ?? completionLimits.facetValuesDefault,
      slices: [],
    };
    return this.#run(open, { ...table, schema }, query, signal);
  }

  async #run(
    open: OpenSource,
    { schema, guards }: OpenTable & { schema: EventSourceSchema },
    query: FacetQuery,
    signal: AbortSignal,
  ): Promise<Facets> {
    const budget = { rowsToRead: this.#limits.exactRowsMax, distinct: this.#limits.distinct };
    const read = (part: FacetQuery, rowsToRead: number) =>
      ask(open, () => compileFacets(part, schema, guards, { ...budget, rowsToRead }), signal);
    const countEvents = () => ask(open, () => compileEventCount(query.range, schema, guards), signal);
    // What a filter leaves of a range shows only when it is read; without one the count of events decides.
    const counted = query.where.trim() === '' ? await countEvents() : undefined;
    const whole = counted && eventsOf(counted) > budget.rowsToRead ? undefined : await read(query, budget.rowsToRead);
    if (whole && !this.#wasCut(whole)) return this.#exact(query, whole);
    const events = counted ?? (await countEvents());
    const share = Math.min(1, budget.rowsToRead / Math.max(1, eventsOf(events)));
    const parts = { ...query, slices: sliceRange(query.range, share, slicesCount) };
    const sample = await read(parts, budget.rowsToRead * 4);
    const spent = whole ? [whole, events] : [events];
    return present(query, [sample, ...spent], { factor: 1 / share, sampled: true });
  }

  #exact(query: FacetQuery, whole: QueryResult): Facets {
    return present(query, [whole], { factor: 1, sampled: this.#leftValuesOut(whole) });
  }

  /** The engine stopped before it had seen everything. */
  #wasCut({ rowsRead, elapsedMs }: QueryResult): boolean {
    return rowsRead >= this.#limits.exactRowsMax || elapsedMs >= readLimits.timeoutMs;
  }

  #leftValuesOut({ columns }: QueryResult): boolean {
    return Number(columns[4]?.[0] ?? 0) >= this.#limits.distinct;
  }
}

function eventsOf({ columns }: QueryResult): number {
  return Number(columns[0]?.[0] ?? 1);
}

function present(
  { fields }: FacetQuery,
  results: readonly QueryResult[],
  { factor, sampled }: { factor: number; sampled: boolean },
): Facets {
  const [indexes = [], values = [], counts = [], totals = []] = results[0]?.columns ?? [];
  const facets = fields.map((field): Facet => ({ field, values: [], total: 0 }));
  const scaled = (count: unknown): number => Math.round(Number(count) * factor);
  for (const [row, index] of indexes.entries()) {
    const facet = facets[Number(index)];
    if (!facet) continue;
    facet.values.push({ value: String(values[row]), count: scaled(counts[row]) });
    facet.total = scaled(totals[row]);
  }
  const sum = (of: (result: QueryResult) => number): number => results.reduce((all, result) => all + of(result), 0);
  const meta = { sampled, rowsRead: sum((each) => each.rowsRead), elapsedMs: sum((each) => each.elapsedMs) };
  return { facets, meta };
}
