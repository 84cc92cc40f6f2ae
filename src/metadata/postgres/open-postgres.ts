import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Logger } from '../../kernel/logger.ts';
import type { OpenStore } from '../metadata-database.ts';
import { MetadataError } from '../metadata-error.ts';
import type { MetadataTables } from '../tables.ts';
import { postgresDialect } from './postgres-dialect.ts';

const connectTimeoutMs = 10_000;
const statementTimeoutMs = 30_000;
const idleInTransactionTimeoutMs = 60_000;
const connectionsPerPool = 10;

/**
 * Opens the store behind a `postgres://` URL. Two pools: a transaction whose work also reads outside of itself would
 * otherwise wait for a connection that only its own end sets free.
 *
 * @throws MetadataError `unreachable` when the server does not answer or refuses
 */
export async function openPostgres(url: string, logger: Logger): Promise<OpenStore> {
  const readPool = makePool(url, logger);
  const writePool = makePool(url, logger);
  const close = async () => {
    await Promise.all([readPool.end(), writePool.end()]);
  };
  try {
    await readPool.query('select 1');
  } catch (cause) {
    await close();
    throw new MetadataError('unreachable', 'cannot connect to PostgreSQL (SIGNALBOX_POSTGRES_URL)', { cause });
  }
  const writes = kyselyOver(writePool);
  return {
    dialect: postgresDialect,
    reads: kyselyOver(readPool),
    writes,
    transact: (work) => writes.transaction().execute(work),
    close,
  };
}

function makePool(connectionString: string, logger: Logger): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max: connectionsPerPool,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
    keepAlive: true,
    application_name: 'signalbox',
    types: { getTypeParser },
  });
  // Without a listener a connection that breaks while idle would end the process.
  pool.on('error', (error) => logger.warn({ error: error.message }, 'an idle PostgreSQL connection broke'));
  return pool;
}

/** Counters and times in ms are below 2^53, so `bigint` may be a number as it is in the embedded store. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format);

function kyselyOver(pool: pg.Pool): Kysely<MetadataTables> {
  return new Kysely<MetadataTables>({ dialect: new PostgresDialect({ pool }) });
}
