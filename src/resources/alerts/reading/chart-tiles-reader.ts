import { AppError } from '../../../contract/errors.ts';
import type { Reading, TileRequest, TilesReader } from '../../../evaluator/ports.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { groupedBy } from '../../../kernel/grouped-by.ts';
import { onceEach } from '../../../kernel/once-each.ts';
import type { ChartReader, ChartReading } from '../../charts/answer/chart-reader.ts';
import type { SqlReader } from '../../charts/raw-sql/sql-reader.ts';
import type { ChartDefinition } from '../../charts/request/chart-definition.ts';
import { windowOfTile } from '../../charts/request/tile-to-chart.ts';
import type { Watched } from '../alert.ts';
import { frameOfWindows, sqlSamples } from './sql-samples.ts';
import { type ErrorReading, invalidAlert, toErrorReading, toReading } from './tile-reading.ts';
import { type WatchedChart, WatchedCharts, type WatchedChartsDeps } from './watched-charts.ts';

export interface TilesReaderDeps extends WatchedChartsDeps {
  reader: Pick<ChartReader, 'readAll'>;
  sql: Pick<SqlReader, 'read'>;
  clock: Clock;
  /** Time limit of shared statements; after it, their alerts are read one by one. */
  sharedTimeoutMs: number;
}

/** One query that some of the requests ask for. */
interface SharedQuery {
  tenantId: string;
  definition: ChartDefinition;
  requests: TileRequest[];
}

type WatchedSql = Extract<WatchedChart, { kind: 'sql' }>;
type Outcome = PromiseSettledResult<ChartReading>;

/**
 * Reads the tiles of many alerts (decisions A6): tiles that ask the same are one query, and queries on the same source
 * and window share statements, through the compiler and the sharing that dashboards have.
 */
export class ChartTilesReader implements TilesReader {
  readonly #deps: TilesReaderDeps;

  constructor(deps: TilesReaderDeps) {
    this.#deps = deps;
  }

  readTiles(requests: readonly TileRequest[]): readonly Promise<Reading>[] {
    const readings = this.#start(requests);
    return requests.map(async (request) => {
      const reading = (await readings).get(request);
      if (!reading) throw new Error('a tile was requested but not read');
      return reading();
    });
  }

  /** Resolves when all queries are known and under way. */
  async #start(requests: readonly TileRequest[]): Promise<Map<TileRequest, () => Promise<Reading>>> {
    const readings = new Map<TileRequest, () => Promise<Reading>>();
    const wanted = new Map<string, SharedQuery>();
    const define = this.#definer();
    for (const alike of groupedBy(requests, questionOf).values()) {
      const [request] = alike;
      if (!request) continue;
      const [found] = await Promise.allSettled([define(request)]);
      const answer = (reading: () => Promise<Reading>) => {
        for (const each of alike) readings.set(each, reading);
      };
      if (found.status === 'rejected') answer(() => Promise.reject(found.reason));
      else if ('kind' in found.value && found.value.kind === 'sql') answer(this.#readSql(request, found.value, alike));
      else if ('kind' in found.value) answer(readyAnswer(found.value));
      else addQuery(wanted, { tenantId: request.tenantId, definition: found.value, requests: alike });
    }
    for (const rows of partsOfSameRows([...wanted.values()])) this.#read(rows, readings);
    return readings;
  }

  #read(wanted: readonly SharedQuery[], readings: Map<TileRequest, () => Promise<Reading>>): void {
    const outcomes = this.#readShared(wanted);
    wanted.forEach(({ definition, requests }, index) => {
      const reading = outcomes.then((all) => toSharedReading(all[index], definition));
      // The caller handles the rejection later; until then it must not count as unhandled.
      reading.catch(() => {});
      for (const request of requests) readings.set(request, () => reading);
    });
  }

  /** Statements of people share nothing with others; the same one over the same window runs once. */
  #readSql(
    { tenantId, window }: TileRequest,
    { tile, variables }: WatchedSql,
    alike: readonly TileRequest[],
  ): () => Promise<Reading> {
    const frame = frameOfWindows(window, window.endMs - window.startMs, variables);
    const options = { queryClass: 'alerts' as const, signal: abortWhenUnwanted([{ requests: alike }]) };
    const reading = this.#deps.sql.read(tenantId, tile, frame, options).then(
      ({ columns }) => sqlSamples(tile, columns, window),
      (error: unknown) => {
        if (error instanceof AppError) return toErrorReading(error);
        throw error;
      },
    );
    // The caller handles the rejection later; until then it must not count as unhandled.
    reading.catch(() => {});
    return () => reading;
  }

  async #readShared(wanted: readonly SharedQuery[]): Promise<Outcome[]> {
    const { clock, sharedTimeoutMs } = this.#deps;
    if (wanted.length === 1) return this.#readAll(wanted, abortWhenUnwanted(wanted));
    const tooLong = new AbortController();
    const cancelTimer = clock.after(sharedTimeoutMs, () => tooLong.abort());
    const gone = abortWhenUnwanted(wanted);
    const outcomes = await this.#readAll(wanted, AbortSignal.any([gone, tooLong.signal])).finally(cancelTimer);
    if (!tooLong.signal.aborted || gone.aborted) return outcomes;
    const alone = async (outcome: Outcome, index: number): Promise<Outcome> => {
      const own = wanted.slice(index, index + 1);
      if (outcome.status === 'fulfilled') return outcome;
      const [again] = await this.#readAll(own, abortWhenUnwanted(own));
      return again ?? outcome;
    };
    return Promise.all(outcomes.map(alone));
  }

  #readAll(wanted: readonly SharedQuery[], signal: AbortSignal): Promise<Outcome[]> {
    const tenantId = wanted[0]?.tenantId ?? '';
    const definitions = wanted.map(({ definition }) => definition);
    return this.#deps.reader.readAll(tenantId, definitions, { queryClass: 'alerts', signal });
  }

  /** Looks each watched thing up once for all requests of a batch. */
  #definer(): (request: TileRequest) => Promise<ChartDefinition | ErrorReading | WatchedSql> {
    const { dashboards, savedSearches } = this.#deps;
    const charts = new WatchedCharts({
      dashboards: { find: onceEach((...deps) => dashboards.find(...deps)) },
      savedSearches: { find: onceEach((...deps) => savedSearches.find(...deps)) },
    });
    const find = onceEach((tenantId: string, watched: Watched) => charts.find(tenantId, watched));
    return async ({ tenantId, watched, window }) => {
      try {
        const found = await find(tenantId, watched);
        if (found.kind === 'notEvaluable') return invalidAlert(found.reason);
        if (found.kind === 'sql') return found;
        return { ...windowOfTile(found.chart, window), conditions: found.chart.conditions };
      } catch (error) {
        if (error instanceof AppError) return toErrorReading(error);
        throw error;
      }
    };
  }
}

/** Equal for requests that ask the same. */
function questionOf({ tenantId, watched, window }: TileRequest): string {
  return JSON.stringify([tenantId, watched, window.startMs, window.endMs]);
}

function readyAnswer(reading: Reading): () => Promise<Reading> {
  return () => Promise.resolve(reading);
}

/** Tiles of different dashboards may ask the same too. */
function addQuery(wanted: Map<string, SharedQuery>, fresh: SharedQuery): void {
  const key = JSON.stringify([fresh.tenantId, fresh.definition]);
  const known = wanted.get(key);
  if (known) known.requests.push(...fresh.requests);
  else wanted.set(key, fresh);
}

/** Split by source, so that a source that hangs delays only its own alerts. */
function partsOfSameRows(wanted: readonly SharedQuery[]): SharedQuery[][] {
  const rowsOf = ({ tenantId, definition: { range, series } }: SharedQuery): string =>
    JSON.stringify([tenantId, range, [...new Set(series.map(({ sourceId }) => sourceId))].sort()]);
  return [...groupedBy(wanted, rowsOf).values()];
}

/** Aborts once no caller waits for the answer. */
function abortWhenUnwanted(wanted: readonly { requests: readonly TileRequest[] }[]): AbortSignal {
  const signals = new Set(wanted.flatMap(({ requests }) => requests.map(({ signal }) => signal)));
  const [only] = signals;
  if (only && signals.size === 1) return only;
  const gone = new AbortController();
  let waiting = signals.size;
  for (const signal of signals) {
    // A request without a signal waits forever.
    if (!signal) continue;
    const leave = () => {
      waiting -= 1;
      if (waiting === 0) gone.abort();
    };
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  }
  return gone.signal;
}

function toSharedReading(outcome: Outcome | undefined, definition: ChartDefinition): Reading {
  if (outcome?.status === 'fulfilled') return toReading(outcome.value.table, definition);
  if (outcome?.reason instanceof AppError) return toErrorReading(outcome.reason);
  throw outcome?.reason ?? new Error('a chart was requested but not read');
}
