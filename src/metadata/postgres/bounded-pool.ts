import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type pg from 'pg';
import { StoreUnavailableError } from '../../kernel/store-unavailable-error.ts';
import { toPostgresError } from './postgres-error.ts';

export interface StatementLimits {
  /** For a place in the pool, and for a new connection. */
  connectMs: number;
  statementMs: number;
  /** For what may rightly take long: schema changes, and waiting for another transaction's lock. */
  patientMs: number;
}

/** The text with which an advisory lock is taken, here and in `postgres-dialect.ts`. */
export const advisoryLock = 'select pg_advisory_xact_lock';
const patient = new RegExp(`^(${advisoryLock}|create |alter |drop )`, 'i');
const closeWithinMs = 2_000;

/** Connections made since the server last fell silent. */
interface Generation {
  pool: pg.Pool;
  /** One of them has had an answer. */
  proven: boolean;
  /** While none has, one caller at a time finds out; the others need not wait for the same. */
  testing: boolean;
}

/**
 * A pool that never waits long for a server that has gone without a word (frozen, or behind a connection that is only
 * half there): each statement has a client-side time limit. When it expires, all connections are replaced.
 */
export class BoundedPool implements PostgresPool {
  readonly #makePool: () => pg.Pool;
  readonly #limits: StatementLimits;
  #current: Generation;

  constructor(makePool: () => pg.Pool, limits: StatementLimits) {
    this.#makePool = makePool;
    this.#limits = limits;
    this.#current = { pool: makePool(), proven: true, testing: false };
  }

  /** Throws `StoreUnavailableError`. */
  async connect(): Promise<PostgresPoolClient> {
    const generation = this.#current;
    if (!generation.proven) {
      if (generation.testing) throw new StoreUnavailableError('metadata', 'silent');
      generation.testing = true;
    }
    try {
      return new BoundedClient(await generation.pool.connect(), this.#limits, {
        answered: () => {
          generation.proven = true;
        },
        silent: () => this.#startAnew(generation),
        released: () => {
          generation.testing = false;
        },
      });
    } catch (error) {
      generation.testing = false;
      const translated = toPostgresError(error);
      if (translated instanceof StoreUnavailableError && translated.failure === 'silent') this.#startAnew(generation);
      throw translated;
    }
  }

  async end(): Promise<void> {
    await closed(this.#current.pool);
  }

  #startAnew(generation: Generation): void {
    if (this.#current !== generation) return;
    this.#current = { pool: this.#makePool(), proven: false, testing: false };
    void closed(generation.pool);
  }
}

/** A silent server does not confirm the end of its connections. */
function closed(pool: pg.Pool): Promise<void> {
  const giveUp = new Promise<void>((resolve) => setTimeout(resolve, closeWithinMs).unref());
  return Promise.race([pool.end().catch(() => undefined), giveUp]);
}

interface ClientEvents {
  answered(): void;
  silent(): void;
  released(): void;
}

class BoundedClient implements PostgresPoolClient {
  readonly #client: pg.PoolClient;
  readonly #limits: StatementLimits;
  readonly #events: ClientEvents;
  #broken: StoreUnavailableError | undefined;

  constructor(client: pg.PoolClient, limits: StatementLimits, events: ClientEvents) {
    this.#client = client;
    this.#limits = limits;
    this.#events = events;
  }

  query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query(): never;
  query<R>(text?: string, values?: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    // Kysely ends a failed transaction over the same connection: that must not wait once more.
    if (this.#broken) return Promise.reject(this.#broken);
    return this.#answer<R>(text ?? '', values ?? []);
  }

  release(destroy = false): void {
    this.#events.released();
    this.#client.release(destroy || this.#broken !== undefined);
  }

  async #answer<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    const limitMs = patient.test(text) ? this.#limits.patientMs : this.#limits.statementMs;
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new StoreUnavailableError('metadata', 'silent')), limitMs);
    });
    try {
      const answer = await Promise.race([this.#client.query(text, [...values]), silence]);
      this.#events.answered();
      // Kysely declares the part of the result of pg that it reads.
      return answer as unknown as PostgresQueryResult<R>;
    } catch (error) {
      throw this.#noted(toPostgresError(error));
    } finally {
      clearTimeout(timer);
    }
  }

  #noted(translated: unknown): unknown {
    if (!(translated instanceof StoreUnavailableError)) {
      this.#events.answered();
      return translated;
    }
    if (translated.failure === 'silent') this.#events.silent();
    if (translated.failure === 'silent' || translated.failure === 'unreachable') this.#broken = translated;
    return translated;
  }
}
