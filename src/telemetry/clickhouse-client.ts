import { Readable } from 'node:stream';
import { Agent, errors, request } from 'undici';
import { type Clock, delay } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import { nextTurn } from '../kernel/next-turn.ts';
import { quoteName } from '../kernel/sql-quoting.ts';
import { TargetBlockedError } from '../kernel/target-blocked-error.ts';
import type { Endpoint, EndpointSource } from './endpoints.ts';
import { engineErrorOf } from './engine-errors.ts';
import { escapeParams } from './escape-params.ts';
import { permittedSettings, restrictionsStatement, rulesOf, type SettingRules } from './permitted-settings.ts';
import {
  type BlockInserter,
  type QueryResult,
  type RawInsert,
  settingRejections,
  type TableStatements,
  TelemetryError,
} from './ports.ts';
import { answerBytesMax, readAnswer } from './read-answer.ts';
import { toQueryResult } from './to-query-result.ts';

export interface StatementOptions {
  database?: string;
  params?: Readonly<Record<string, string>>;
  settings?: Readonly<Record<string, string | number>>;
  /** Ends the statement here and in the engine. */
  timeoutMs: number;
  /** Aborting kills the statement in the engine. */
  signal?: AbortSignal;
}

export interface ClickHouseClientOptions {
  endpoints: EndpointSource;
  clock: Clock;
  ids: Ids;
  /** Sent with every read, unless it has its own. */
  readSettings?: Readonly<Record<string, string | number>>;
  /** How long a read waits for a restarting engine before it fails. */
  restartWaitMs?: number;
  /** Makes the connections; for hosts that users entered, one that checks where they lead. Closed with the client. */
  agent?: Agent;
}

type ReadOptions = StatementOptions & Required<Pick<StatementOptions, 'settings'>>;

interface Exchange {
  /** The statement when `body` is insert data, else empty. */
  query: string;
  body: string | Readable;
  contentLength?: number;
  options: StatementOptions;
  /** Takes what the engine counted. */
  onSummary?: (summary: Readonly<Record<string, unknown>>) => void;
}

const answerFormat = 'JSONColumnsWithMetadata';
const readonlyCode = 164;
/** A statement of this length has taken tens of milliseconds to compile, and takes more to encode: others get a turn. */
const longCharacters = 64 * 1024;
const restartPollMs = 25;
/** The engine ends a statement slightly before our own time limit, so that its error message arrives. */
const engineHeadStartMs = 1_000;

/** Time limits are set for each statement. */
export const agentOptions = { connections: 64, keepAliveTimeout: 20_000, headersTimeout: 0, bodyTimeout: 0 } as const;

/** The one way to a ClickHouse HTTP interface: the embedded engine's, a server's, or a connection that a user made. */
export class ClickHouseClient implements BlockInserter, TableStatements {
  readonly #endpoints: EndpointSource;
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #readSettings: Readonly<Record<string, string | number>>;
  readonly #restartWaitMs: number;
  readonly #agent: Agent;
  /** By URL; only of endpoints whose user may not change every setting. */
  readonly #restrictions = new Map<string, SettingRules>();

  constructor(options: ClickHouseClientOptions) {
    this.#endpoints = options.endpoints;
    this.#clock = options.clock;
    this.#ids = options.ids;
    this.#readSettings = options.readSettings ?? {};
    this.#restartWaitMs = options.restartWaitMs ?? 3_000;
    this.#agent = options.agent ?? new Agent(agentOptions);
  }

  /**
   * Reads; always with `readonly`. Tried once more when the engine went away under it. If the server does not let the
   * user change every setting, only those that are permitted are sent. Throws `TelemetryError`.
   */
  async query(sql: string, options: StatementOptions): Promise<QueryResult> {
    const settings = { ...this.#readSettings, ...options.settings, ...readSettings(options.timeoutMs) };
    const read = (endpoint: Endpoint) => this.#readAsPermitted(endpoint, sql, { ...options, settings });
    return toQueryResult(await this.#overRestart(read, options));
  }

  /** Reads rows as `insert` takes them, in the order of `sql`. Throws `TelemetryError`, `limit` when they are too many. */
  readBlocks(sql: string, options: StatementOptions): Promise<Buffer> {
    const settings = { ...options.settings, ...readSettings(options.timeoutMs), default_format: 'Native' };
    return this.#overRestart((endpoint) => this.#read(endpoint, sql, { ...options, settings }), options);
  }

  async #readAsPermitted(endpoint: Endpoint, sql: string, options: ReadOptions): Promise<Buffer> {
    const known = this.#restrictions.get(endpoint.url);
    try {
      return await this.#read(endpoint, sql, known ? restricted(options, known) : options);
    } catch (error) {
      // Known restrictions may have become stricter.
      if (!(error instanceof TelemetryError) || !settingRejections.has(error.engineCode)) throw error;
      const rules = await this.#loadRestrictions(endpoint, options);
      return this.#read(endpoint, sql, restricted(options, rules));
    }
  }

  async #loadRestrictions(endpoint: Endpoint, options: ReadOptions): Promise<SettingRules> {
    const settings = { default_format: answerFormat };
    const answer = await this.#read(endpoint, restrictionsStatement, { ...options, params: {}, settings });
    const rules = rulesOf(toQueryResult(answer).columns);
    this.#restrictions.set(endpoint.url, rules);
    return rules;
  }

  #read(endpoint: Endpoint, sql: string, options: ReadOptions): Promise<Buffer> {
    return this.#exchange(endpoint, { query: '', body: sql, options });
  }

  /** A statement without an answer: DDL and the like. Not tried again. Throws `TelemetryError`. */
  async command(sql: string, options: StatementOptions): Promise<void> {
    await this.#exchange(await this.#endpoint(options), { query: '', body: sql, options });
  }

  /** A statement that is no read and has a short answer: its text, by tabs. Not tried again. Throws `TelemetryError`. */
  async ask(sql: string, options: StatementOptions): Promise<string> {
    return (await this.#exchange(await this.#endpoint(options), { query: '', body: sql, options })).toString();
  }

  /**
   * Adds whole Native blocks to a table. Columns are matched by the names in the blocks' headers and cast to the
   * table's types; columns that no block names take their defaults. The same token twice adds the rows once.
   * Not tried again: its caller knows how long the rows may wait. Throws `TelemetryError`.
   */
  async insert(batch: Parameters<BlockInserter['insert']>[0] & { timeoutMs?: number }): Promise<void> {
    const timeoutMs = batch.timeoutMs ?? 60_000;
    const settings = { ...insertSettings(timeoutMs), insert_deduplication_token: batch.token };
    const options = { settings, timeoutMs };
    const exchange = {
      query: `INSERT INTO ${quoteName(batch.database)}.${quoteName(batch.table)} FORMAT Native`,
      body: Readable.from(batch.blocks),
      contentLength: batch.blocks.reduce((sum, block) => sum + block.byteLength, 0),
      options,
    };
    await this.#exchange(await this.#endpoint(options), exchange).catch(rethrowOfShard);
  }

  /** Not tried again: its caller knows how long the rows may wait. Throws `TelemetryError`. */
  async insertRaw({ statement, body, token, settings = {}, timeoutMs, signal }: RawInsert): Promise<number> {
    const options = {
      settings: {
        ...insertSettings(timeoutMs),
        ...oneBlockSettings,
        ...settings,
        ...(token !== undefined && { insert_deduplication_token: token }),
      },
      timeoutMs,
      ...(signal && { signal }),
    };
    const contentLength = body.reduce((sum, part) => sum + part.byteLength, 0);
    let rows = 0;
    const exchange: Exchange = {
      query: statement,
      body: Readable.from(body),
      contentLength,
      options,
      onSummary: (summary) => {
        rows = Number(summary.written_rows ?? summary.result_rows ?? 0);
      },
    };
    await this.#exchange(await this.#endpoint(options), exchange).catch(rethrowOfShard);
    return rows;
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #overRestart(send: (endpoint: Endpoint) => Promise<Buffer>, options: StatementOptions): Promise<Buffer> {
    const first = await this.#endpoint(options);
    try {
      return await send(first);
    } catch (error) {
      if (!(error instanceof TelemetryError) || error.kind !== 'unavailable') throw error;
      return send(await this.#endpoint(options, first));
    }
  }

  /** The endpoint to ask, waiting a moment for one to come up; another than `failed` where there is one. */
  async #endpoint(options: StatementOptions, failed?: Endpoint): Promise<Endpoint> {
    const deadlineMs = this.#clock.nowMs() + Math.min(this.#restartWaitMs, options.timeoutMs);
    for (;;) {
      const endpoints = this.#endpoints.endpoints();
      const endpoint = endpoints.find(({ url }) => url !== failed?.url);
      if (endpoint) return endpoint;
      if (options.signal?.aborted) throw new TelemetryError('cancelled', 'the caller cancelled');
      if (this.#clock.nowMs() >= deadlineMs) {
        if (endpoints[0]) return endpoints[0];
        throw new TelemetryError('unavailable', 'the telemetry store is not running');
      }
      await delay(this.#clock, restartPollMs, options.signal);
    }
  }

  async #exchange(endpoint: Endpoint, exchange: Exchange): Promise<Buffer> {
    const { options } = exchange;
    if (options.signal?.aborted) throw new TelemetryError('cancelled', 'the caller cancelled');
    if (lengthOf(exchange) > longCharacters) await nextTurn();
    const queryId = this.#ids.uuid();
    const deadline = new AbortController();
    const cancelDeadline = this.#clock.after(options.timeoutMs + engineHeadStartMs, () => deadline.abort());
    const signal = options.signal ? AbortSignal.any([options.signal, deadline.signal]) : deadline.signal;
    try {
      return await this.#send(endpoint, exchange, queryId, signal);
    } catch (error) {
      if (error instanceof TelemetryError || error instanceof TargetBlockedError) throw error;
      if (signal.aborted) this.#kill(endpoint, queryId);
      if (options.signal?.aborted) throw new TelemetryError('cancelled', 'the caller cancelled');
      if (deadline.signal.aborted) throw new TelemetryError('timeout', `no answer within ${options.timeoutMs} ms`);
      throw transportError(error);
    } finally {
      cancelDeadline();
    }
  }

  async #send(endpoint: Endpoint, exchange: Exchange, queryId: string, signal: AbortSignal): Promise<Buffer> {
    const response = await request(`${endpoint.url}/?${searchOf(exchange, queryId)}`, {
      method: 'POST',
      headers: {
        ...(endpoint.user === undefined ? {} : { 'X-ClickHouse-User': endpoint.user }),
        ...(endpoint.secret === undefined ? {} : { 'X-ClickHouse-Key': endpoint.secret }),
        ...(exchange.contentLength === undefined ? {} : { 'Content-Length': String(exchange.contentLength) }),
      },
      body: exchange.body,
      dispatcher: this.#agent,
      signal,
    });
    const body = await readAnswer(response.body);
    const code = response.headers['x-clickhouse-exception-code'];
    if (response.statusCode === 200 && code === undefined) {
      exchange.onSummary?.(summaryOf(response.headers['x-clickhouse-summary']));
      return body;
    }
    throw engineErrorOf(response.statusCode, typeof code === 'string' ? code : undefined, body.toString());
  }

  /** A server may not notice a closed connection for a while. The embedded engine does, and rejects KILL. */
  #kill(endpoint: Endpoint, queryId: string): void {
    const options = { params: { id: queryId }, timeoutMs: 5_000 };
    const body = 'KILL QUERY WHERE query_id = {id:String} ASYNC';
    this.#send(endpoint, { query: '', body, options }, this.#ids.uuid(), AbortSignal.timeout(options.timeoutMs)).catch(
      () => undefined,
    );
  }
}

/** What one shard rejects, another may have taken: the outcome of the whole insert is unknown. */
function rethrowOfShard(error: unknown): never {
  const isOfShard =
    error instanceof TelemetryError && /\bReceived from \S+:\d+|\bInsertion status:/.test(error.message);
  if (!isOfShard || error.kind !== 'failed') throw error;
  throw new TelemetryError('unavailable', error.message, error.engineCode);
}

/** The server gives up before we do: what it would do later could meet the same rows, sent again. */
function insertSettings(timeoutMs: number): Record<string, string | number> {
  return {
    async_insert: 0,
    // One record with a wrong clock must not make a whole batch fail.
    throw_on_max_partitions_per_insert_block: 0,
    max_execution_time: timeoutMs / 1000,
    distributed_foreground_insert: 1,
    // A few seconds of lost coordination; beyond that, the batch is sent again, with its token.
    insert_keeper_max_retries: 5,
    insert_keeper_retry_max_backoff_ms: 1_000,
  };
}

/** A token covers one block: were there several, a retry could find some of them stored and cut others differently. */
const oneBlockSettings = {
  min_insert_block_size_rows: 0,
  min_insert_block_size_bytes: 2 ** 40,
  deduplicate_blocks_in_dependent_materialized_views: 1,
};

/** What every insert comes with: a user who may not change one of them cannot insert. */
export const insertSettingNames: readonly string[] = [...Object.keys(insertSettings(0)), 'insert_deduplication_token'];

/** @throws {TelemetryError} if the user may not change a setting that the answer depends on */
function restricted(options: ReadOptions, rules: SettingRules): ReadOptions {
  const settings = permittedSettings(options.settings, rules);
  if (settings) return { ...options, settings };
  throw new TelemetryError('failed', 'the user may not change a setting that the answer depends on', readonlyCode);
}

function readSettings(timeoutMs: number): Record<string, string | number> {
  return {
    default_format: answerFormat,
    output_format_json_quote_64bit_integers: 0,
    output_format_json_quote_denormals: 0,
    max_execution_time: timeoutMs / 1000,
    // Before the engine turns the result into text: of that it keeps no account.
    max_result_bytes: answerBytesMax,
    result_overflow_mode: 'throw',
    cancel_http_readonly_queries_on_client_close: 1,
    // A shard that is down is an error, whatever the user's profile says: the answer would lack its rows.
    skip_unavailable_shards: 0,
    readonly: 1,
  };
}

/** Of what is escaped and encoded for the request. */
function lengthOf({ body, options }: Exchange): number {
  const params = Object.values(options.params ?? {}).reduce((sum, text) => sum + text.length, 0);
  return params + (typeof body === 'string' ? body.length : 0);
}

function escapedParams({ body }: Exchange, params: Readonly<Record<string, string>>): Record<string, string> {
  return typeof body === 'string' ? escapeParams(body, params) : { ...params };
}

function searchOf(exchange: Exchange, queryId: string): URLSearchParams {
  const { query, options } = exchange;
  const search = new URLSearchParams({ query_id: queryId, wait_end_of_query: '1' });
  if (query !== '') search.set('query', query);
  if (options.database !== undefined) search.set('database', options.database);
  const texts = escapedParams(exchange, options.params ?? {});
  for (const [name, value] of Object.entries(texts)) search.set(`param_${name}`, value);
  for (const [name, value] of Object.entries(options.settings ?? {})) search.set(name, String(value));
  return search;
}

function summaryOf(header: string | string[] | undefined): Record<string, unknown> {
  try {
    const summary: unknown = JSON.parse(String(header));
    return typeof summary === 'object' && summary !== null ? { ...summary } : {};
  } catch {
    // Counts are for show: the rows are written.
    return {};
  }
}

function transportError(error: unknown): TelemetryError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  const reason = error instanceof errors.UndiciError ? error.name : (code ?? 'no connection');
  return new TelemetryError('unavailable', `the telemetry store can't be reached: ${reason}`);
}
