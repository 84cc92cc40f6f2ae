import { AppError } from '../../../contract/errors.ts';
import type { Guards } from '../../../query/chart-query.ts';
import type { CompiledQuery } from '../../../query/compiled-query.ts';
import type { QueryClass, QueryResult } from '../../../telemetry/ports.ts';
import { settingsOfSource } from '../../sources/settings-of-source.ts';
import type { Source } from '../../sources/source.ts';
import { CarefulRuns } from './careful-runs.ts';
import { type PreparedScan, prepareScan } from './prepared-scan.ts';
import type { ReadPlan, ReadScan } from './read-plan.ts';
import type { ReadableSources } from './readable-sources.ts';
import { sourceToSchema, tableOf } from './source-to-schema.ts';
import type { Scan } from './to-scans.ts';

/** What one query may cost (decisions C10). */
export type ScanLimits = Omit<Guards, 'database'>;

export interface ScanOptions {
  queryClass: QueryClass;
  signal?: AbortSignal | undefined;
  /** Reads everything, remembered or not. */
  bypassCache?: boolean;
  /** Looks whether the attributes that the texts name exist: for people, not for alerts. */
  looksForAttributes?: boolean;
}

/** Compiles scans against the live tables of their sources and runs them. */
export class ScanRunner {
  readonly #sources: ReadableSources;
  readonly #limits: ScanLimits;
  readonly #careful = new CarefulRuns();

  constructor(sources: ReadableSources, limits: ScanLimits) {
    this.#sources = sources;
    this.#limits = limits;
  }

  /**
   * Finds and opens what the scan reads, and plans it. Throws `AppError` with a text for the client: `query_invalid`
   * with path and position, `source_not_found`, `connection_not_found`, `engine_unavailable`.
   */
  async prepare(
    tenantId: string,
    scan: Scan,
    sources: ReadonlyMap<string, Source>,
    readable = this.#sources,
  ): Promise<PreparedScan> {
    return prepareScan({ scan, ...(await this.open(tenantId, scan, sources, readable)) });
  }

  /** Finds and opens what is read. Throws `AppError` as `prepare` does. */
  async open(
    tenantId: string,
    { sourceId, metricKind }: Pick<Scan, 'sourceId' | 'metricKind'>,
    sources: ReadonlyMap<string, Source>,
    readable = this.#sources,
  ): Promise<Pick<PreparedScan, 'source' | 'engine' | 'schema' | 'guards'>> {
    const source = sources.get(sourceId);
    if (!source || source.kind === 'promql') throw new AppError('source_not_found');
    const engine = await readable.engineOf(tenantId, source);
    const database = source.from.databaseName;
    const table = await engine.schemas.describe(database, tableOf(source, metricKind));
    if (!table) {
      throw new AppError('query_invalid', { public: `The table of the source "${source.name}" does not exist.` });
    }
    const schema = sourceToSchema(source, metricKind, table);
    return { source, engine, schema, guards: { ...this.#limits, database, ...settingsOfSource(source) } };
  }

  /** Runs the statement of a plan, and the careful one where it has one and needs it. Throws `TelemetryError`, `AppError`. */
  async run({ mechanism, reason, scans, statement }: ReadPlan, { queryClass, signal }: ScanOptions): Promise<ReadScan> {
    const [first] = scans;
    if (!first) throw new Error('a plan without scans');
    const options = { name: 'chart query', queryClass, timeoutMs: this.#limits.timeoutMs, ...(signal && { signal }) };
    const run = (compiled: CompiledQuery): Promise<QueryResult> => first.engine.runner.run(compiled, options);
    const { result, runs } = await this.#careful.run(questionOf(first), statement(), run);
    const statements = runs.map(({ statement: compiled, careReason, result: { rowsRead, bytesRead, elapsedMs } }) => ({
      mechanism: careReason === undefined ? mechanism : ('careful' as const),
      reason: careReason ?? reason,
      statement: compiled,
      scans: scans.length,
      rowsRead,
      bytesRead,
      elapsedMs,
    }));
    return { result, statements };
  }
}

/** The same for questions about the same metrics over as long a time. */
function questionOf({ source, guards, scan: { query, metricKind } }: PreparedScan): string {
  const { range, series } = query;
  const metrics = [...new Set(series.map(({ metric }) => metric?.name))];
  return JSON.stringify([source.id, guards.database, metricKind, metrics, range.endMs - range.startMs]);
}
