import { AppError } from '../../../contract/errors.ts';
import type { Guards } from '../../../query/chart-query.ts';
import { type ChartPlan, finishChart, finishUncutChart, planChart } from '../../../query/compile-chart.ts';
import { type CompiledQuery, QueryTextError, sourceTexts } from '../../../query/compiled-query.ts';
import type { SourceSchema } from '../../../query/source-schema.ts';
import type { QueryClass, QueryResult } from '../../../telemetry/ports.ts';
import { settingsOfSource } from '../../sources/settings-of-source.ts';
import type { Source } from '../../sources/source.ts';
import { QueryFault } from '../request/query-fault.ts';
import { CarefulRuns } from './careful-runs.ts';
import type { ConnectionEngine } from './connection-engine.ts';
import type { ReadableSources } from './readable-sources.ts';
import { sourceToSchema, tableOf } from './source-to-schema.ts';
import type { Scan } from './to-scans.ts';

/** What one query may cost (decisions C10). */
export type ScanLimits = Omit<Guards, 'database'>;

export interface ScanOptions {
  queryClass: QueryClass;
  signal?: AbortSignal | undefined;
}

/** A scan with all that its statement needs. */
export interface PreparedScan {
  scan: Scan;
  source: Source;
  engine: ConnectionEngine;
  schema: SourceSchema;
  guards: Guards;
  plan: ChartPlan;
  /** Made when it is first asked for: scans that share one need none of their own. Throws `AppError` as `ScanRunner.prepare` does. */
  statement(): CompiledQuery;
  /** See `finishUncutChart`; throws as `statement` does. */
  uncutStatement(rowsMax: number): CompiledQuery;
}

/** Plans what the scan asks. Throws `AppError` as `ScanRunner.prepare` does. */
export function prepareScan(parts: Omit<PreparedScan, 'plan' | 'statement' | 'uncutStatement'>): PreparedScan {
  const { scan, source, schema, guards } = parts;
  const plan = explained(parts, () => planChart(scan.query, schema));
  let made: CompiledQuery | undefined;
  const statement = () => {
    made ??= explained(parts, () => finishChart(plan, scan.query, guards));
    return made;
  };
  const uncutStatement = (rowsMax: number) =>
    explained(parts, () => finishUncutChart(plan, scan.query, guards, rowsMax));
  return { scan, source, engine: parts.engine, schema, guards, plan, statement, uncutStatement };
}

function explained<T>({ scan, source }: Pick<PreparedScan, 'scan' | 'source'>, compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    throw error instanceof QueryTextError ? toTextError(error, scan, source.name) : error;
  }
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

  /** Runs one statement of a prepared scan, and the careful one where it has one and needs it. Throws `TelemetryError`. */
  runOne(prepared: PreparedScan, compiled: CompiledQuery, { queryClass, signal }: ScanOptions): Promise<QueryResult> {
    const options = { queryClass, timeoutMs: this.#limits.timeoutMs, ...(signal && { signal }) };
    return this.#careful.run(questionOf(prepared), compiled, (each) => prepared.engine.runner.run(each, options));
  }
}

/** The same for questions about the same metrics over as long a time. */
function questionOf({ source, guards, scan: { query, metricKind } }: PreparedScan): string {
  const { range, series } = query;
  const metrics = [...new Set(series.map(({ metric }) => metric?.name))];
  return JSON.stringify([source.id, guards.database, metricKind, metrics, range.endMs - range.startMs]);
}

/** decisions C6: path, reason and position (characters from 0) of what is wrong with the user's text. */
function toTextError(error: QueryTextError, { seriesIndexes }: Scan, sourceName: string): AppError {
  const own = sourceTexts.get(error.where);
  const path = own
    ? `The source "${sourceName}" can't be read, ${own}`
    : requestPath(error.where ?? 'series', seriesIndexes);
  return new QueryFault(path, error.message, error.position);
}

/** A path of the scan as a path of the request: the scan numbers its own series only. */
function requestPath(path: string, seriesIndexes: readonly number[]): string {
  if (path.startsWith('groupBy')) return `series.0.${path}`;
  return path.replace(/^series\.(\d+)/, (_, index) => `series.${seriesIndexes[Number(index)] ?? index}`);
}
