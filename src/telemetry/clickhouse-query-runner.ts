import type { Clock } from '../kernel/clock.ts';
import { type Release, Semaphore } from '../kernel/semaphore.ts';
import type { CompiledQuery } from '../query/compiled-query.ts';
import type { ClickHouseClient } from './clickhouse-client.ts';
import { type QueryClass, type QueryResult, type QueryRunner, type RunOptions, TelemetryError } from './ports.ts';

/** Queries of each class that run at the same time. */
export type QueryWidths = Readonly<Record<QueryClass, number>>;

export const defaultQueryWidths: QueryWidths = { interactive: 8, alerts: 4, background: 2 };

/** Runs compiled queries, each class within its own width, so that heavy queries of one never delay another. */
export class ClickHouseQueryRunner implements QueryRunner {
  readonly #client: ClickHouseClient;
  readonly #clock: Clock;
  readonly #places: Readonly<Record<QueryClass, Semaphore>>;

  constructor(client: ClickHouseClient, clock: Clock, widths: QueryWidths = defaultQueryWidths) {
    this.#client = client;
    this.#clock = clock;
    this.#places = {
      interactive: new Semaphore(widths.interactive),
      alerts: new Semaphore(widths.alerts),
      background: new Semaphore(widths.background),
    };
  }

  /** Time spent waiting for a place counts towards `timeoutMs`. */
  async run(query: CompiledQuery, { queryClass, timeoutMs, signal }: RunOptions): Promise<QueryResult> {
    const startedMs = this.#clock.nowMs();
    const release = await this.#acquire(queryClass, timeoutMs, signal);
    try {
      const { sql, params, settings } = query;
      const leftMs = timeoutMs - (this.#clock.nowMs() - startedMs);
      if (leftMs <= 0) throw new TelemetryError('timeout', 'no query could be started in time');
      const options = { params, settings, timeoutMs: leftMs, ...(signal ? { signal } : {}) };
      return decoded(completed(await this.#client.query(sql, options), query), query);
    } finally {
      release();
    }
  }

  async #acquire(queryClass: QueryClass, timeoutMs: number, signal: AbortSignal | undefined): Promise<Release> {
    const deadline = new AbortController();
    const cancelDeadline = this.#clock.after(timeoutMs, () => deadline.abort());
    try {
      const either = signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal;
      const release = await this.#places[queryClass].acquireUnless(either);
      if (release) return release;
      if (signal?.aborted) throw new TelemetryError('cancelled', 'the caller gave up');
      throw new TelemetryError('timeout', 'no query could be started in time');
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
