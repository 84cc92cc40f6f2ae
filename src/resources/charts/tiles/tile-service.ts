import { type ChartMeta, chartLimits } from '../../../contract/chart.ts';
import { AppError } from '../../../contract/errors.ts';
import type { NumberFormat } from '../../../contract/number-format.ts';
import { patternLimits } from '../../../contract/patterns.ts';
import { problemsText } from '../../../contract/problem.ts';
import type { TileInput } from '../../../contract/tile.ts';
import { isSqlConfig } from '../../../contract/tile-config.ts';
import type { TileAnswer, TilesRequest } from '../../../contract/tile-query.ts';
import { tileQueryLimits } from '../../../contract/tile-query-limits.ts';
import { TextAllowance } from '../../../contract/tile-texts.ts';
import type { SchemaCheck } from '../../../http/operation.ts';
import type { ChartReader, ChartReading } from '../answer/chart-reader.ts';
import { explainReads } from '../answer/explain-reads.ts';
import { checkAddsUp, totalOf } from '../answer/rest-of-groups.ts';
import type { SqlReader } from '../raw-sql/sql-reader.ts';
import type { HeatmapReader } from '../reading/heatmap-reader.ts';
import type { MetricProfiles } from '../reading/metric-profiles.ts';
import type { ScanOptions } from '../reading/scan-runner.ts';
import { wholeRange } from '../request/buckets.ts';
import type { ChartDefinition } from '../request/chart-definition.ts';
import { chooseGranularity, intervalsPerBucket, placeBuckets } from '../request/granularity.ts';
import { type HeatmapTile, heatmapOfTile } from '../request/heatmap-tile.ts';
import { readTilesRequest, type TileFrame } from '../request/read-tiles-request.ts';
import { sqlTileOf } from '../request/sql-tile.ts';
import { type ChartOfTile, tileToChart } from '../request/tile-to-chart.ts';
import { type TileWithValues, tileWithVariables } from '../request/tile-with-variables.ts';
import { answerHeatmap, formatOfHeatmap } from './answer-heatmap.ts';
import { answerSql } from './answer-sql-tile.ts';
import { type EventPatterns, patternsOfTile, presentPatterns } from './event-patterns.ts';
import { type EventSearch, eventsOfTile } from './event-search.ts';
import type { KnownFormats } from './known-formats.ts';
import { presentEventRows } from './present-event-rows.ts';
import { type DrawnTile, presentNumber, presentRows, presentTime, previousPeriod } from './present-tile.ts';
import { asWritten, configPath, tileProblem } from './tile-problem.ts';
import { type TileView, tileView } from './tile-view.ts';

export interface TileServiceDeps {
  reader: ChartReader;
  profiles: Pick<MetricProfiles, 'longestInterval'>;
  formats: Pick<KnownFormats, 'of'>;
  events: EventSearch;
  heatmaps: Pick<HeatmapReader, 'read'>;
  patterns: EventPatterns;
  sql: Pick<SqlReader, 'read'>;
  /** Validates a tile against its schema. */
  checkTile: SchemaCheck;
}

/** What all tiles have in common, and what is known of the series of one. */
interface KnownFrame extends TileFrame {
  /** Between two points of its metrics; absent if unknown, and of events. */
  samplingMs?: number;
  /** By the units of its series, in their order. */
  formats?: readonly (NumberFormat | undefined)[];
}

type TileBody = Omit<TileAnswer, 'ref'>;
/** Reads charts together with those of the other tiles. */
type ReadCharts = (definitions: readonly ChartDefinition[]) => Promise<ChartReading>[];

const eventsShown = 100;
const patternsShown = { sample: patternLimits.sampleDefault, limit: patternLimits.patternsDefault };
const tooMuchText = `The filters and expressions of these tiles have more than ${tileQueryLimits.textLength} characters together; ask for this tile in another request.`;

/** Answers each tile of a dashboard independently: an invalid one does not fail the others. */
export class TileService {
  readonly #deps: TileServiceDeps;

  constructor(deps: TileServiceDeps) {
    this.#deps = deps;
  }

  /** Throws `query_invalid` for a problem that all tiles share: the range, the granularity, a filter without expression. */
  async query(tenantId: string, body: TilesRequest, signal: AbortSignal): Promise<TileAnswer[]> {
    const frame = readTilesRequest(body);
    const pool = new ChartPool(this.#deps.reader, tenantId, {
      signal,
      bypassCache: frame.explain,
      looksForAttributes: true,
    });
    const allowance = new TextAllowance(body);
    const checked = body.tiles.map(({ ref, tile }) => {
      const written = this.#checked(tile, allowance);
      const { originOf, ...found } = isTile(written)
        ? tileWithVariables(written, frame.variables)
        : { tile: written, originOf: samePlace };
      return { ref, known: found.tile, originOf };
    });
    const frames = await Promise.all(
      checked.map(({ known }) => this.#frameOf(tenantId, known, frame, body.granularity)),
    );
    const answers = checked.map(async ({ ref, known, originOf }, index): Promise<TileAnswer> => {
      try {
        return { ref, ...(await this.#answer(tenantId, known, frames[index] ?? frame, pool.read, signal)) };
      } catch (error) {
        const problem = tileProblem(error, isTile(known) && known.config !== undefined);
        return { ref, error: asWritten(problem, originOf) };
      }
    });
    // All tiles have asked by now: their charts are collected before the first of them waits.
    const [all] = await Promise.all([Promise.all(answers), pool.run()]);
    return all;
  }

  /** The frame with what is known of the tile's metrics: buckets are wide enough for them unless requested. */
  async #frameOf(
    tenantId: string,
    tile: TileInput | AppError,
    frame: TileFrame,
    granularity: string | undefined,
  ): Promise<KnownFrame> {
    const found = isTile(tile) ? tileToChart(tile) : undefined;
    if (found?.kind !== 'chart') return frame;
    const { series, hasTimeAxis = true } = found.chart;
    const formats = await this.#deps.formats.of(tenantId, series, frame.range);
    const samplingMs = hasTimeAxis ? await this.#deps.profiles.longestInterval(tenantId, series, frame.range) : 0;
    if (samplingMs === 0) return { ...frame, formats };
    const granularityMs = chooseGranularity(granularity, frame.range, samplingMs * intervalsPerBucket(series));
    const { bucketEdges: _, ...common } = frame;
    return { ...common, ...placeBuckets(granularityMs, frame.range, frame.timezone), formats, samplingMs };
  }

  /** The tile, or what is wrong with it. */
  #checked(tile: unknown, allowance: TextAllowance): TileInput | AppError {
    if (!allowance.take(tile)) return new AppError('query_invalid', { public: tooMuchText });
    const problems = this.#deps.checkTile(tile);
    if (problems.length > 0) return new AppError('query_invalid', { public: problemsText(problems) });
    // `checkTile` found it to be one.
    return tile as TileInput;
  }

  #answer(
    tenantId: string,
    tile: TileInput | AppError,
    frame: KnownFrame,
    read: ReadCharts,
    signal: AbortSignal,
  ): Promise<TileBody> | TileBody {
    if (!isTile(tile)) throw tile;
    const sql = sqlTileOf(tile);
    if (sql) return answerSql(this.#deps.sql, tenantId, sql, { ...frame, signal });
    const content = contentOf(tile);
    if (content !== undefined) return { displayType: 'markdown', content };
    const heatmap = heatmapOfTile(tile);
    if (heatmap) return this.#heatmap(tenantId, heatmap, formatOfHeatmap(tile), { ...frame, signal });
    const events = eventsOfTile(tile);
    const { range, conditions, samplingMs } = frame;
    const patterns = patternsOfTile(tile);
    if (patterns) return this.#patterns(tenantId, { ...patterns, ...patternsShown, range, conditions }, signal);
    if (events) return this.#search(tenantId, { ...events, range, conditions, limit: eventsShown }, signal);
    const view = tileView(tile);
    const tileChart = tileToChart(tile);
    if (tileChart.kind === 'notEvaluable') {
      throw tileChart.problem ?? new AppError('query_invalid', { public: tileChart.reason });
    }
    if (!view) throw new AppError('query_invalid', { public: 'The tile draws nothing.' });
    const { chart } = tileChart;
    const definition = definitionOf(chart, view, frame);
    const shown = withFormats(view, frame.formats);
    const drawn = { chart, view: shown, definition, ...(samplingMs !== undefined && { samplingMs }) };
    return draw(drawn, read, { isConfig: tile.config !== undefined, explain: frame.explain });
  }

  async #heatmap(
    tenantId: string,
    tile: HeatmapTile,
    own: NumberFormat | undefined,
    frame: KnownFrame & { signal: AbortSignal },
  ): Promise<TileBody> {
    const series = { ...tile, aggregate: 'max' as const, field: tile.value };
    const [format = own] = own ? [own] : await this.#deps.formats.of(tenantId, [series], frame.range);
    return answerHeatmap(this.#deps.heatmaps, tenantId, tile, { ...frame, format });
  }

  async #patterns(
    tenantId: string,
    request: Parameters<EventPatterns['find']>[1],
    signal: AbortSignal,
  ): Promise<TileBody> {
    return presentPatterns(await this.#deps.patterns.find(tenantId, request, signal));
  }

  async #search(
    tenantId: string,
    request: Parameters<EventSearch['firstEvents']>[1],
    signal: AbortSignal,
  ): Promise<TileBody> {
    return presentEventRows(await this.#deps.events.firstEvents(tenantId, request, signal), request.limit);
  }
}

const samePlace: TileWithValues['originOf'] = (_path, position) => position;

function isTile(tile: TileInput | AppError): tile is TileInput {
  return !(tile instanceof AppError);
}

/** Collects the charts of all tiles and reads them together, so that they share what they read. */
class ChartPool {
  readonly #reader: ChartReader;
  readonly #tenantId: string;
  readonly #options: ScanOptions;
  readonly #waiting: { definition: ChartDefinition; settle: (outcome: PromiseSettledResult<ChartReading>) => void }[] =
    [];

  constructor(reader: ChartReader, tenantId: string, options: Omit<ScanOptions, 'queryClass'>) {
    this.#reader = reader;
    this.#tenantId = tenantId;
    this.#options = { queryClass: 'interactive', ...options };
  }

  /** Before `run`; the readings come when it runs. */
  readonly read: ReadCharts = (definitions) =>
    definitions.map(
      (definition) =>
        new Promise<ChartReading>((resolve, reject) => {
          const settle = (outcome: PromiseSettledResult<ChartReading>) =>
            outcome.status === 'fulfilled' ? resolve(outcome.value) : reject(outcome.reason);
          this.#waiting.push({ definition, settle });
        }),
    );

  async run(): Promise<void> {
    const definitions = this.#waiting.map(({ definition }) => definition);
    const outcomes = await this.#reader.readAll(this.#tenantId, definitions, this.#options);
    outcomes.forEach((outcome, index) => {
      this.#waiting[index]?.settle(outcome);
    });
  }
}

/** Warnings name places in the tile as it was written. */
function withOwnPaths(meta: ChartMeta, isConfig: boolean): ChartMeta {
  const { warnings } = meta;
  if (!warnings || !isConfig) return meta;
  return { ...meta, warnings: warnings.map(({ path, message }) => ({ path: configPath(path), message })) };
}

interface MetaForm {
  isConfig: boolean;
  explain: boolean;
}

async function draw(tile: DrawnTile, read: ReadCharts, { isConfig, explain }: MetaForm): Promise<TileBody> {
  const { definition, view } = tile;
  const periods = view.comparePrevious ? [definition, previousPeriod(definition)] : [definition];
  const withOther = view.withOther && definition.groupBy.length > 0;
  if (withOther) checkAddsUp(definition.series);
  const readings = await Promise.all(read(withOther ? [...periods, ...periods.map(totalOf)] : periods));
  const [now, before] = readings.slice(0, periods.length).map(({ table, meta, reads }, index) => {
    const total = readings[periods.length + index];
    return { table, meta, reads, ...(total && { total: total.table }) };
  });
  if (!now) throw new Error('a chart was not read');
  const { granularity: _, approximate: __, ...own } = withOwnPaths(now.meta, isConfig);
  const reads = readings.flatMap((reading) => reading.reads);
  const meta = explain ? { ...own, explain: explainReads(reads) } : own;
  const { displayType } = view;
  if (view.layout === 'time') return { displayType, ...presentTime(tile, now, before), meta };
  if (view.layout === 'number') return { displayType, ...presentNumber(tile, now.table), meta };
  const { rowsTotal, rowsShown, ...shown } = presentRows(tile, now);
  return { displayType, ...shown, meta: { ...meta, truncated: meta.truncated || rowsShown < rowsTotal } };
}

function definitionOf(chart: ChartOfTile, view: TileView, frame: TileFrame): ChartDefinition {
  const { range, granularityMs, bucketOriginMs, bucketEdges, conditions } = frame;
  const common = { ...chart, conditions };
  const groupsMax = groupsMaxOf(view);
  if (view.layout !== 'time') {
    // One bucket over the whole range.
    const wholeMs = range.endMs - range.startMs;
    return { ...common, range, granularityMs: wholeMs, bucketOriginMs: range.startMs, groupsMax };
  }
  return {
    ...common,
    range: view.alignRange ? wholeRange(frame) : range,
    granularityMs,
    bucketOriginMs,
    ...(bucketEdges && { bucketEdges }),
    groupsMax,
  };
}

/** What the tile says of its numbers counts before what is known of their units. */
function withFormats(view: TileView, formats: KnownFrame['formats'] = []): TileView {
  const series = view.series.map((value, index) => {
    const numberFormat = value.numberFormat ?? formats[index];
    return numberFormat ? { ...value, numberFormat } : value;
  });
  return { ...view, series };
}

/** A table that is ordered or narrowed by us needs all groups, as far as an answer holds them. */
function groupsMaxOf({ layout, seriesLimit, orderBy, having }: TileView): number {
  if (seriesLimit === 0 || (layout === 'rows' && (orderBy !== undefined || having !== undefined))) {
    return chartLimits.groupsMax;
  }
  return Math.min(seriesLimit ?? chartLimits.groups, chartLimits.groupsMax);
}

function contentOf({ config, series }: TileInput): string | undefined {
  if (config) return !isSqlConfig(config) && config.displayType === 'markdown' ? (config.markdown ?? '') : undefined;
  return series?.[0]?.type === 'markdown' ? (series[0].content ?? '') : undefined;
}
