import type { AttributeDelta, DeltasMeta, DeltasRequest } from '../../contract/deltas.ts';
import { deltaLimits } from '../../contract/deltas.ts';
import { AppError } from '../../contract/errors.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { TimeRange } from '../../query/chart-query.ts';
import { compileEventCount } from '../../query/compile-completion.ts';
import { compileDeltas, compileSelectedCount } from '../../query/compile-deltas.ts';
import type { CompiledQuery } from '../../query/compiled-query.ts';
import type { DeltasQuery } from '../../query/deltas-query.ts';
import type { QueryResult } from '../../telemetry/ports.ts';
import { eventSource, type OpenEvents, openEvents } from '../charts/reading/open-events.ts';
import type { ReadableSources } from '../charts/reading/readable-sources.ts';
import { runOverEvents } from '../charts/reading/run-over-events.ts';
import type { ScanLimits } from '../charts/reading/scan-runner.ts';
import { sliceRange } from '../charts/reading/time-slices.ts';
import { readInstant, readInstantRange } from '../charts/request/instant-range.ts';
import { presentDeltas } from './present-deltas.ts';

/** Tuning of what is read; smaller in tests. */
export interface DeltaLimits {
  /** Rows of a side that are read as a whole; of more, parts with about as many. */
  rowsMax: number;
  /** A sample with fewer selected events is read again, from ten times as many rows. */
  selectedMin: number;
}

export const deltaReadLimits: DeltaLimits = { rowsMax: 50_000, selectedMin: 1000 };

/**
 * Tables are sorted by service, those of spans also by name, before they are sorted by time: each slice of a range lies
 * in other places of the table, which are read at least a granule at a time. So they are few.
 */
const slicesCount = { byOneColumn: 4, byMore: 2 };
const valuesMax = 1000;

export interface DeltasServiceDeps {
  sources: ReadableSources;
  limits: ScanLimits;
  clock: Clock;
  reading?: DeltaLimits;
}

/** Compares events with the others of a range: what is different about them. */
export class DeltasService {
  readonly #deps: DeltasServiceDeps;
  readonly #reading: DeltaLimits;

  constructor(deps: DeltasServiceDeps) {
    this.#deps = deps;
    this.#reading = deps.reading ?? deltaReadLimits;
  }

  /**
   * Counts and shares are exact for the events that were read, and `meta` says how many these were. Throws
   * `source_not_found`, `connection_not_found`, `query_invalid` with path and position, `query_timeout`, `query_failed`,
   * `engine_unavailable`.
   */
  async compare(
    tenantId: string,
    body: DeltasRequest,
    signal: AbortSignal,
  ): Promise<{ deltas: AttributeDelta[]; meta: DeltasMeta }> {
    const { sources, limits, clock } = this.#deps;
    const source = eventSource(await sources.get(tenantId, body.sourceId));
    const range = readInstantRange(body, clock.nowMs());
    const selected = readSelectedRange(body, range);
    const open = await openEvents(sources, limits, tenantId, source);
    const run = (compile: () => CompiledQuery) => this.#run(open, compile, signal);
    const count = async (of: TimeRange) => {
      const { columns } = await run(() => compileEventCount(of, open.schema, open.guards));
      return Number(columns[0]?.[0] ?? 0);
    };
    const slicesOf = (of: TimeRange, rowsOf: number, rowsMax: number): TimeRange[] =>
      rowsOf <= rowsMax ? [] : sliceRange(of, rowsMax / rowsOf, countOfSlices(open));
    const [rows, selectedRows] = await Promise.all([count(range), count(selected)]);
    const { rowsMax, selectedMin } = this.#reading;
    const queryOf = (selectedRowsMax: number): DeltasQuery => ({
      all: { ...textOf(body), range, slices: slicesOf(range, rows, rowsMax) },
      selection: {
        ...textOf(body.selection),
        range: selected,
        slices: slicesOf(selected, selectedRows, selectedRowsMax),
      },
      valueLengthMax: deltaLimits.valueLength,
      valuesMax,
    });
    const first = queryOf(rowsMax);
    const isSampled = first.selection.slices.length > 0;
    const counted = isSampled ? await run(() => compileSelectedCount(first, open.schema, open.guards)) : undefined;
    const isThin = counted !== undefined && Number(counted.columns[0]?.[0] ?? 0) < selectedMin;
    const query = isThin ? queryOf(rowsMax * 10) : first;
    const result = await run(() => compileDeltas(query, open.schema, open.guards));
    const results = counted ? [counted, result] : [result];
    return presentDeltas(result, query, open.schema, results);
  }

  #run(open: OpenEvents, compile: () => CompiledQuery, signal: AbortSignal): Promise<QueryResult> {
    const { timeoutMs } = this.#deps.limits;
    return runOverEvents(open, compile, { name: 'deltas query', timeoutMs, signal });
  }
}

function countOfSlices({ schema: { table, timestampColumn, sortTimeColumn = timestampColumn } }: OpenEvents): number {
  const { sortColumns = [] } = table;
  const before = sortColumns.indexOf(sortTimeColumn);
  return (before < 0 ? sortColumns.length : before) > 1 ? slicesCount.byMore : slicesCount.byOneColumn;
}

function textOf({ where = '', whereLanguage = 'lucene' }: Pick<DeltasRequest, 'where' | 'whereLanguage'>) {
  return { where, whereLanguage };
}

function readSelectedRange({ selection: { startTime, endTime } }: DeltasRequest, range: TimeRange): TimeRange {
  const startMs = startTime === undefined ? range.startMs : readInstant('selection.startTime', startTime);
  const endMs = endTime === undefined ? range.endMs : readInstant('selection.endTime', endTime);
  if (startMs >= endMs) throw invalid('selection.endTime: must be later than the start of the selection.');
  if (startMs < range.startMs) throw invalid('selection.startTime: must not be before startTime.');
  if (endMs > range.endMs) throw invalid('selection.endTime: must not be after endTime.');
  return { startMs, endMs };
}

function invalid(text: string): AppError {
  return new AppError('query_invalid', { public: text });
}
