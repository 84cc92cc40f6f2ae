import type { Clock } from '../kernel/clock.ts';
import { type Release, Semaphore } from '../kernel/semaphore.ts';
import { noTracer, type RunningSpan, type Tracer } from '../kernel/tracer.ts';
import type { CompiledQuery } from '../query/compiled-query.ts';
import type { ClickHouseClient } from './clickhouse-client.ts';
import { type QueryClass, type QueryResult, type QueryRunner, type RunOptions, TelemetryError } from './ports.ts';
import { type QueryMetrics, type QueryOutcome, uncountedQueries } from './query-metrics.ts';

/** Queries of each class that run at the same time. */
export type QueryWidths = Readonly<Record<QueryClass, number>>;

export interface QueryRunnerOptions {
  widths?: QueryWidths;
  metrics?: QueryMetrics;
  tracer?: Tracer;
}

export const defaultQueryWidths: QueryWidths = { interactive: 8, alerts: 4, background: 2 };

/** Runs compiled queries, each class within its own width, so that heavy queries of one never delay another. */
export class ClickHouseQueryRunner implements QueryRunner {
  readonly #client: Pick<ClickHouseClient, 'query'>;
  readonly #clock: Clock;
  readonly #metrics: QueryMetrics;
  readonly #tracer: Tracer;
  readonly #places: Readonly<Record<QueryClass, Semaphore>>;

  constructor(client: Pick<ClickHouseClient, 'query'>, clock: Clock, options: QueryRunnerOptions = {}) {
    const { widths = defaultQueryWidths, metrics = uncountedQueries, tracer = noTracer } = options;
    this.#client = client;
    this.#clock = clock;
    this.#metrics = metrics;
    this.#tracer = tracer;
    this.#places = {
      interactive: new Semaphore(widths.interactive),
      alerts: new Semaphore(widths.alerts),
      background: new Semaphore(widths.background),
    };
  }

  /** Time spent waiting for a place counts towards `timeoutMs`. */
  run(query: CompiledQuery, options: RunOptions): Promise<QueryResult> {
    const { name = 'query', queryClass } = options;
    const attributes = { 'db.system.name': 'clickhouse', 'signalbox.query.class': queryClass };
    return this.#tracer.within({ name, kind: 'client', attributes }, (span) => this.#run(query, options, span));
  }

  async #run(query: CompiledQuery, options: RunOptions, span: RunningSpan): Promise<QueryResult> {
    const { queryClass, timeoutMs, signal } = options;
    const queuedMs = this.#clock.nowMs();
    this.#metrics.queued(queryClass);
    const release = await this.#acquire(queryClass, timeoutMs, signal);
    const startedMs = this.#clock.nowMs();
    this.#metrics.started(queryClass, startedMs - queuedMs);
    let outcome: QueryOutcome = 'failed';
    try {
      const result = await this.#ask(query, { ...options, timeoutMs: timeoutMs - (startedMs - queuedMs) });
      outcome = 'completed';
      span.set({ 'signalbox.query.rows_read': result.rowsRead, 'signalbox.query.wait_ms': startedMs - queuedMs });
      return result;
    } catch (error) {
      if (error instanceof TelemetryError) outcome = error.kind;
      throw error;
    } finally {
      release();
      this.#metrics.ended(queryClass, outcome, this.#clock.nowMs() - startedMs);
    }
  }

  async #ask(query: CompiledQuery, { timeoutMs, signal }: RunOptions): Promise<QueryResult> {
    if (timeoutMs <= 0) throw new TelemetryError('timeout', 'no query could be started in time');
    const { sql, params, settings, database } = query;
    const place = database === undefined ? {} : { database };
    const options = { params, settings, timeoutMs, ...place, ...(signal ? { signal } : {}) };
    return decoded(completed(await this.#client.query(sql, options), query), query);
  }

  async #acquire(queryClass: QueryClass, timeoutMs: number, signal: AbortSignal | undefined): Promise<Release> {
    const deadline = new AbortController();
    const cancelDeadline = this.#clock.after(timeoutMs, () => deadline.abort());
    try {
      const either = signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal;
      const release = await this.#places[queryClass].acquireUnless(either);
      if (release) return release;
      const reason = signal?.aborted ? 'cancelled' : 'timeout';
      this.#metrics.refused(queryClass, reason);
      const text = reason === 'cancelled' ? 'the caller cancelled' : 'no query could be started in time';
      throw new TelemetryError(reason, text);
    } finally {
      cancelDeadline();
    }
  }
}

function completed(result: QueryResult, { repeated }: CompiledQuery): QueryResult {
  if (!repeated) return result;
  const columns = result.columns.flatMap((values, at) => {
    const name = result.names[at] ?? '';
    const column = { name, type: result.types[at] ?? '', values };
    const again = repeated.get(name);
    return again === undefined ? [column] : [column, { name: again, type: 'Nullable(Float64)', values }];
  });
  return {
    ...result,
    names: columns.map(({ name }) => name),
    types: columns.map(({ type }) => type),
    columns: columns.map(({ values }) => values),
  };
}

function decoded(result: QueryResult, { decode }: CompiledQuery): QueryResult {
  if (!decode) return result;
  const columns = result.columns.map((values, at) => {
    const toValue = decode.get(result.names[at] ?? '');
    return toValue ? values.map(toValue) : values;
  });
  return { ...result, columns };
}
