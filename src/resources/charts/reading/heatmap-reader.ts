import type { Warning } from '../../../contract/warning.ts';
import { compileHeatmap } from '../../../query/compile-heatmap.ts';
import { type CompiledQuery, QueryTextError } from '../../../query/compiled-query.ts';
import type { HeatmapQuery, ValueScale } from '../../../query/heatmap-query.ts';
import type { RequestText } from '../../../query/named-attributes.ts';
import type { QueryResult } from '../../../telemetry/ports.ts';
import type { SourceCondition } from '../request/chart-definition.ts';
import { heatmapPaths } from '../request/heatmap-tile.ts';
import { toTextProblem } from '../request/text-problem.ts';
import { eventSource, type OpenEvents, openEvents } from './open-events.ts';
import { toQueryAppError } from './query-errors.ts';
import type { RanStatement } from './read-plan.ts';
import type { ReadableSources } from './readable-sources.ts';
import type { ScanLimits } from './scan-runner.ts';
import type { UnseenAttributes } from './unseen-attributes.ts';

export interface HeatmapDefinition extends Omit<HeatmapQuery, 'conditions'> {
  sourceId: string;
  conditions: readonly SourceCondition[];
}

export interface HeatmapReading {
  sourceName: string;
  scale: ValueScale;
  /** Ascending, one more than there are rows; empty without values. */
  edges: number[];
  /** By bucket, then row: start of the bucket (Unix ms), row, amount. */
  cells: [number, number, number | null][];
  warnings: Warning[];
  statement: RanStatement;
}

export interface HeatmapReaderDeps {
  sources: ReadableSources;
  unseen: UnseenAttributes;
  limits: ScanLimits;
}

/** Reads how a number of the events of a source is distributed over time. */
export class HeatmapReader {
  readonly #deps: HeatmapReaderDeps;

  constructor(deps: HeatmapReaderDeps) {
    this.#deps = deps;
  }

  /**
   * Throws `source_not_found`, `connection_not_found`, `query_invalid` with path and position, `query_timeout`,
   * `query_failed`, `engine_unavailable`.
   */
  async read(tenantId: string, definition: HeatmapDefinition, signal: AbortSignal): Promise<HeatmapReading> {
    const { sources, unseen, limits } = this.#deps;
    const source = eventSource(await sources.get(tenantId, definition.sourceId));
    const open = await openEvents(sources, limits, tenantId, source);
    const { sourceId: _, conditions, ...rest } = definition;
    const applied = conditions.filter((each) => each.sourceId === undefined || each.sourceId === source.id);
    const query = { ...rest, conditions: applied };
    const [{ result, statement }, warnings] = await Promise.all([
      this.#run(open, query, signal),
      unseen.warningsOf(open, textsOf(query), query.range),
    ]);
    return { sourceName: source.name, ...readCells(result), warnings, statement };
  }

  async #run(open: OpenEvents, query: HeatmapQuery, signal: AbortSignal) {
    const { timeoutMs } = this.#deps.limits;
    try {
      const compiled = compileHeatmap(query, open.schema, open.guards);
      const options = { name: 'heatmap query', queryClass: 'interactive', timeoutMs, signal } as const;
      const result = await open.engine.runner.run(compiled, options);
      return { result, statement: ran(compiled, result) };
    } catch (error) {
      if (error instanceof QueryTextError) {
        throw toTextProblem(error, open.source.name, (where = 'where') => heatmapPaths[where] ?? where);
      }
      throw toQueryAppError(error);
    }
  }
}

function ran(statement: CompiledQuery, { rowsRead, bytesRead, elapsedMs }: QueryResult): RanStatement {
  const reason = 'A heatmap is read by one statement.';
  return { mechanism: 'single', reason, statement, scans: 1, rowsRead, bytesRead, elapsedMs };
}

function textsOf({ value, where, whereLanguage, conditions = [] }: HeatmapQuery): RequestText[] {
  return [
    { path: heatmapPaths.value ?? '', text: value, language: 'value' },
    { path: heatmapPaths.where ?? '', text: where, language: whereLanguage },
    ...conditions.map((each) => ({ path: each.path, text: each.where, language: each.whereLanguage })),
  ];
}

/** Columns as `compileHeatmap` says; rows without values at both ends are left out. */
export function readCells({ columns }: QueryResult): Pick<HeatmapReading, 'scale' | 'edges' | 'cells'> {
  const [logarithmic, edges, starts, lows, amounts] = columns.map(([cell]) => cell);
  const scale = Number(logarithmic) === 1 ? 'log' : 'linear';
  const all = numbersOf(edges);
  const rowOf = new Map(all.map((edge, row) => [edge, Math.min(row, all.length - 2)]));
  const rows = numbersOf(lows).map((low) => rowOf.get(low) ?? 0);
  if (rows.length === 0) return { scale, edges: [], cells: [] };
  const first = rows.reduce((least, row) => Math.min(least, row));
  const last = rows.reduce((most, row) => Math.max(most, row));
  const amountOf = Array.isArray(amounts) ? amounts : [];
  const cells = numbersOf(starts).map((start, index): [number, number, number | null] => {
    const amount: unknown = amountOf[index];
    return [start, (rows[index] ?? 0) - first, typeof amount === 'number' ? amount : null];
  });
  cells.sort(([start, row], [otherStart, otherRow]) => start - otherStart || row - otherRow);
  return { scale, edges: all.slice(first, last + 2), cells };
}

/** An edge beyond the largest number is sent as null. */
function numbersOf(list: unknown): number[] {
  return Array.isArray(list) ? list.map((item) => (typeof item === 'number' ? item : Number.MAX_VALUE)) : [];
}
