import { AppError } from '../../contract/errors.ts';
import type { Guards } from '../../query/chart-query.ts';
import { compileChart } from '../../query/compile-chart.ts';
import { type CompiledQuery, QueryTextError, sourceFilterPath, textFault } from '../../query/compiled-query.ts';
import type { QueryClass, QueryResult } from '../../telemetry/ports.ts';
import type { Source } from '../sources/source.ts';
import type { ConnectionEngine } from './connection-engine.ts';
import { toQueryAppError } from './query-errors.ts';
import type { ReadableSources } from './readable-sources.ts';
import { sourceToSchema, tableOf } from './source-to-schema.ts';
import type { Scan } from './to-chart-query.ts';

/** What one query may cost (decisions C10). */
export type ScanLimits = Omit<Guards, 'database'>;

export interface ScanOptions {
  queryClass: QueryClass;
  signal?: AbortSignal | undefined;
}

export interface ScanResult {
  scan: Scan;
  result: QueryResult;
}

/** Compiles scans against the live tables of their sources and runs them. */
export class ScanRunner {
  readonly #sources: ReadableSources;
  readonly #limits: ScanLimits;

  constructor(sources: ReadableSources, limits: ScanLimits) {
    this.#sources = sources;
    this.#limits = limits;
  }

  /**
   * Runs all scans side by side; when one fails the others are cancelled. Throws `AppError` with a text for the client:
   * `query_invalid` with path and position, `query_timeout`, `engine_unavailable`, `query_failed`.
   */
  async run(
    tenantId: string,
    scans: readonly Scan[],
    sources: ReadonlyMap<string, Source>,
    { queryClass, signal }: ScanOptions,
  ): Promise<ScanResult[]> {
    const failed = new AbortController();
    const either = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal;
    try {
      const prepared = await Promise.all(scans.map((scan) => this.#prepare(tenantId, scan, sources)));
      return await Promise.all(
        prepared.map(async ({ scan, engine, compiled }) => {
          const options = { queryClass, timeoutMs: this.#limits.timeoutMs, signal: either };
          return { scan, result: await engine.runner.run(compiled, options) };
        }),
      );
    } catch (error) {
      failed.abort();
      throw toQueryAppError(error);
    }
  }

  async #prepare(
    tenantId: string,
    scan: Scan,
    sources: ReadonlyMap<string, Source>,
  ): Promise<{ scan: Scan; engine: ConnectionEngine; compiled: CompiledQuery }> {
    const source = sources.get(scan.sourceId);
    if (!source || source.kind === 'promql') throw new AppError('source_not_found');
    const engine = await this.#sources.engineOf(tenantId, source);
    const database = source.from.databaseName;
    const table = await engine.schemas.describe(database, tableOf(source, scan.metricKind));
    if (!table) {
      throw new AppError('query_invalid', { public: `The table of the source "${source.name}" does not exist.` });
    }
    const schema = sourceToSchema(source, scan.metricKind, table);
    try {
      return { scan, engine, compiled: compileChart(scan.query, schema, { ...this.#limits, database }) };
    } catch (error) {
      throw error instanceof QueryTextError ? toTextError(error, scan, source.name) : error;
    }
  }
}

/** decisions C6: path, reason and position (characters from 0) of what is wrong with the user's text. */
function toTextError(error: QueryTextError, { seriesIndexes }: Scan, sourceName: string): AppError {
  const path =
    error.where === sourceFilterPath
      ? `The source "${sourceName}" can't be read, tableFilterExpression`
      : requestPath(error.where ?? 'series', seriesIndexes);
  return new AppError('query_invalid', { public: `${path}: ${textFault(error)}` });
}

/** A path of the scan as a path of the request: the scan numbers its own series only. */
function requestPath(path: string, seriesIndexes: readonly number[]): string {
  if (path.startsWith('groupBy')) return `series.0.${path}`;
  return path.replace(/^series\.(\d+)/, (_, index) => `series.${seriesIndexes[Number(index)] ?? index}`);
}
