import type { ChartMeta } from '../../../contract/chart.ts';
import type { Warning } from '../../../contract/warning.ts';
import { formatDuration } from '../../../kernel/duration.ts';
import { nextTurn } from '../../../kernel/next-turn.ts';
import { textsOfChart } from '../../../query/named-attributes.ts';
import { BucketCache, type CacheUse } from '../reading/bucket-cache.ts';
import { CachedScans, type ScanAnswer } from '../reading/cached-scans.ts';
import { groupsTotal } from '../reading/groups-total.ts';
import { type PreparedScan, requestPath } from '../reading/prepared-scan.ts';
import { toQueryAppError } from '../reading/query-errors.ts';
import type { ReadableSources } from '../reading/readable-sources.ts';
import { ScanReader } from '../reading/scan-reader.ts';
import type { ScanOptions, ScanRunner } from '../reading/scan-runner.ts';
import { toScans } from '../reading/to-scans.ts';
import type { UnseenAttributes } from '../reading/unseen-attributes.ts';
import type { ChartDefinition } from '../request/chart-definition.ts';
import { addFormulas } from './add-formulas.ts';
import { addRatio } from './add-ratio.ts';
import { type AssembledScan, assembleSeries } from './assemble-series.ts';
import type { ChartTable } from './chart-table.ts';
import type { ChartRead } from './explain-reads.ts';
import { warningsOf } from './scan-warnings.ts';

/** One chart's values, and what they cost. */
export interface ChartReading {
  table: ChartTable;
  meta: ChartMeta;
  /** How the answer was read, scan by scan. */
  reads: readonly ChartRead[];
}

/** Charts that are planned in one go; between two goes other work gets its turn. */
const plannedPerGo = 200;

type AnsweredScan = AssembledScan & ScanAnswer & ChartRead & { groupsMax: number; unseen: readonly Warning[] };

export interface ChartReaderDeps {
  sources: ReadableSources;
  runner: ScanRunner;
  unseen: UnseenAttributes;
  /** Remembers buckets of stores whose writes are all known. */
  cache?: BucketCache;
}

/** Reads charts: every number that the program shows comes from here. */
export class ChartReader {
  readonly #sources: ReadableSources;
  readonly #runner: ScanRunner;
  readonly #unseen: UnseenAttributes;
  readonly #scans: CachedScans;

  constructor({ sources, runner, unseen, cache = new BucketCache(0) }: ChartReaderDeps) {
    this.#sources = sources;
    this.#runner = runner;
    this.#unseen = unseen;
    this.#scans = new CachedScans(new ScanReader(runner), cache);
  }

  /** Throws `query_invalid`, `source_not_found`, `query_timeout`, `query_failed`, `engine_unavailable`. */
  async readOne(tenantId: string, definition: ChartDefinition, options: ScanOptions): Promise<ChartReading> {
    const failed = new AbortController();
    const signal = options.signal ? AbortSignal.any([options.signal, failed.signal]) : failed.signal;
    try {
      const scans = await this.#prepare(tenantId, definition);
      // All of them or nothing: the first that fails stops the others.
      const run = async (scan: PreparedScan): Promise<AnsweredScan> => {
        const [[outcome], unseen] = await Promise.all([
          this.#scans.run([scan], { ...options, signal }),
          this.#unseenIn(scan, options),
        ]);
        return resultOf(scan, outcome, unseen);
      };
      return toReading(definition, await Promise.all(scans.map(run)));
    } catch (error) {
      failed.abort();
      throw toQueryAppError(error);
    }
  }

  /**
   * Reads charts side by side, in their order; those that look at the same rows share statements. One that fails does
   * not touch the others; its reason is an `AppError` as `readOne` throws it.
   */
  async readAll(
    tenantId: string,
    definitions: readonly ChartDefinition[],
    options: ScanOptions,
  ): Promise<PromiseSettledResult<ChartReading>[]> {
    const prepared = await this.#prepareAll(tenantId, definitions);
    // Long filters take tens of milliseconds to plan, and more to compile.
    await nextTurn();
    const scans = prepared.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    const [outcomes, unseen] = await Promise.all([
      this.#scans.run(scans, options),
      Promise.all(scans.map((scan) => this.#unseenIn(scan, options))),
    ]);
    const outcomeOf = new Map(scans.map((scan, index) => [scan, { outcome: outcomes[index], unseen: unseen[index] }]));
    return Promise.allSettled(
      definitions.map(async (definition, index) => {
        const own = prepared[index];
        if (own?.status !== 'fulfilled') throw toQueryAppError(own?.reason);
        return toReading(
          definition,
          own.value.map((scan) => resultOf(scan, outcomeOf.get(scan)?.outcome, outcomeOf.get(scan)?.unseen)),
        );
      }),
    );
  }

  async #unseenIn(scan: PreparedScan, { looksForAttributes }: ScanOptions): Promise<Warning[]> {
    if (!looksForAttributes) return [];
    const { query, seriesIndexes } = scan.scan;
    const warnings = await this.#unseen.warningsOf(scan, textsOfChart(query), query.range);
    return warnings.map(({ path, message }) => ({ path: requestPath(path, seriesIndexes), message }));
  }

  async #prepareAll(
    tenantId: string,
    definitions: readonly ChartDefinition[],
  ): Promise<PromiseSettledResult<PreparedScan[]>[]> {
    const sources = this.#sources.remembering();
    const prepared: PromiseSettledResult<PreparedScan[]>[] = [];
    for (let from = 0; from < definitions.length; from += plannedPerGo) {
      if (from > 0) await nextTurn();
      const part = definitions.slice(from, from + plannedPerGo);
      prepared.push(...(await Promise.allSettled(part.map((each) => this.#prepare(tenantId, each, sources)))));
    }
    return prepared;
  }

  async #prepare(tenantId: string, definition: ChartDefinition, readable = this.#sources): Promise<PreparedScan[]> {
    const sources = await readable.find(tenantId, definition.series);
    const scans = toScans(definition, sources);
    return Promise.all(scans.map((scan) => this.#runner.prepare(tenantId, scan, sources, readable)));
  }
}

function resultOf(
  { scan, source }: PreparedScan,
  outcome: PromiseSettledResult<ScanAnswer> | undefined,
  unseen: readonly Warning[] = [],
): AnsweredScan {
  if (outcome?.status !== 'fulfilled') throw toQueryAppError(outcome?.reason);
  return {
    seriesIndexes: scan.seriesIndexes,
    groupsMax: scan.query.groupsMax,
    sourceName: source.name,
    unseen,
    ...outcome.value,
  };
}

function toReading(definition: ChartDefinition, scans: readonly AnsweredScan[]): ChartReading {
  const table = toChartTable(scans, definition);
  return { table, meta: metaOf(scans, definition, table), reads: scans };
}

/** The merged answer of all scans of a chart, with its formulas, and the ratio where the chart is one. */
export function toChartTable(scans: readonly AssembledScan[], definition: ChartDefinition): ChartTable {
  const table = assembleSeries(scans, {
    seriesCount: definition.series.length,
    groupFields: definition.groupBy.length,
    groupsMax: definition.groupsMax,
    groupsPerBucket: definition.groupsPerBucket ?? false,
  });
  const whole = addFormulas(table, definition.series, definition.formulas ?? []);
  return definition.asRatio ? addRatio(whole) : whole;
}

function metaOf(scans: readonly AnsweredScan[], definition: ChartDefinition, table: ChartTable): ChartMeta {
  const statements = [...new Set(scans.flatMap((scan) => scan.statements))];
  const sum = (of: 'rowsRead' | 'bytesRead') => statements.reduce((total, ran) => total + ran[of], 0);
  const cut = scans.filter(({ result, groupsMax }) => groupsTotal(result) > groupsMax);
  // A group that one of several scans left out lacks its values there.
  const exact = scans.length === 1 || cut.length === 0;
  const warnings = [...scans.flatMap(({ unseen }) => unseen), ...scans.flatMap(warningsOf)];
  return {
    granularity: formatDuration(definition.granularityMs),
    rowsRead: sum('rowsRead'),
    bytesRead: sum('bytesRead'),
    elapsedMs: Math.max(0, ...statements.map(({ elapsedMs }) => elapsedMs)),
    cache: cacheUse(scans),
    exact,
    approximate: !exact,
    truncated: table.truncated,
    ...(warnings.length > 0 && { warnings }),
    ...(definition.groupBy.length > 0 && {
      groupsTotal: Math.max(table.groups.length, ...cut.map(({ result }) => groupsTotal(result))),
    }),
  };
}

/** Of a chart as a whole: `partial` when some of its scans were remembered and others not. */
function cacheUse(scans: readonly AnsweredScan[]): CacheUse {
  const uses = new Set(scans.map(({ cache }) => cache));
  const [first] = uses;
  if (first !== undefined && uses.size === 1) return first;
  return uses.has('hit') || uses.has('partial') ? 'partial' : 'miss';
}
