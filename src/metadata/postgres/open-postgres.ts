import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Logger } from '../../kernel/logger.ts';
import { isPassing, StoreUnavailableError } from '../../kernel/store-unavailable-error.ts';
import type { OpenStore } from '../metadata-database.ts';
import { MetadataError } from '../metadata-error.ts';
import type { MetadataTables } from '../tables.ts';
import { BoundedPool, type StatementLimits } from './bounded-pool.ts';
import { postgresDialect } from './postgres-dialect.ts';

/** Clients get an answer within five seconds even if this server gives none. */
const defaultLimits: StatementLimits = { connectMs: 4_000, statementMs: 4_000, patientMs: 60_000 };
const idleInTransactionTimeoutMs = 60_000;
const connectionsPerPool = 10;

/**
 * Opens the store behind a `postgres://` URL. Two pools: a transaction whose work also reads outside of itself would
 * otherwise wait for a connection that only its own end sets free.
 *
 * @throws MetadataError `away` if the server does not answer, `unreachable` if it rejects the user or the database
 */
export async function openPostgres(url: string, logger: Logger, limits = defaultLimits): Promise<OpenStore> {
  const newPool = () => new BoundedPool(() => makePool(url, limits, logger), limits);
  const readPool = newPool();
  const writePool = newPool();
  const reads = kyselyOver(readPool);
  const writes = kyselyOver(writePool);
  const close = async () => {
    await Promise.all([readPool.end(), writePool.end()]);
  };
  try {
    await sql`select 1`.execute(reads);
  } catch (cause) {
    await close();
    throw openError(cause);
  }
  return {
    dialect: postgresDialect,
    reads,
    writes,
    transact: (work) => writes.transaction().execute(work),
    snapshot: (work) =>
      reads.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
    close,
  };
}

/** What the server said may hold names and secrets; its code says enough. */
function openError(cause: unknown): MetadataError {
  const text = 'cannot use PostgreSQL (SIGNALBOX_POSTGRES_URL)';
  if (!(cause instanceof StoreUnavailableError)) return new MetadataError('unreachable', text);
  const code = cause.code === undefined ? '' : ` (${cause.code})`;
  return new MetadataError(isPassing(cause.failure) ? 'away' : 'unreachable', `${text}: ${cause.message}${code}`);
}

function makePool(connectionString: string, { connectMs, patientMs }: StatementLimits, logger: Logger): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max: connectionsPerPool,
    connectionTimeoutMillis: connectMs,
    statement_timeout: patientMs,
    idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
    keepAlive: true,
    application_name: 'signalbox',
    types: { getTypeParser },
  });
  // A connection that breaks without a listener would end the process: while it is idle the pool listens, while it is
  // in use nothing does. The statement that fails reports it to the caller.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', (error) => logger.warn({ code: codeOf(error) }, 'an idle PostgreSQL connection broke'));
  return pool;
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : error.name;
}

/** Counters and times in ms are below 2^53, so `bigint` may be a number as it is in the embedded store. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format);

function kyselyOver(pool: BoundedPool): Kysely<MetadataTables> {
  return new Kysely<MetadataTables>({ dialect: new PostgresDialect({ pool }) });
}
