import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  Kysely,
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import type { Executor, OpenStore } from '../metadata-database.ts';
import { MetadataError } from '../metadata-error.ts';
import type { MetadataTables } from '../tables.ts';
import { embeddedDialect } from './embedded-dialect.ts';
import { GroupCommit } from './group-commit.ts';
import { connectLibsql, type EmbeddedConnection } from './libsql-driver.ts';

/**
 * Opens (or makes) the store in `file`. Every commit is on the disk when it is acknowledged (decisions E5).
 *
 * @throws MetadataError `unreachable` when the file cannot be opened or is not a database
 */
export function openEmbedded(file: string): OpenStore {
  try {
    makePrivateFile(file);
    const writer = connectLibsql(file);
    writer.execute('pragma journal_mode = wal');
    writer.execute('pragma synchronous = full');
    writer.execute('pragma foreign_keys = on');
    const reader = connectLibsql(file);
    reader.execute('pragma query_only = on');
    return openStore(writer, reader);
  } catch (cause) {
    throw new MetadataError('unreachable', `cannot open the metadata store ${file}`, { cause });
  }
}

function openStore(writer: EmbeddedConnection, reader: EmbeddedConnection): OpenStore {
  const reads = new Kysely<MetadataTables>({ dialect: kyselyDialect(reader) });
  const writes = new Kysely<MetadataTables>({ dialect: kyselyDialect(writer) });
  const group = new GroupCommit(writes);
  return {
    dialect: embeddedDialect,
    reads,
    writes,
    stamp: reader.changeStamp(),
    transact: (work) => group.transact(work),
    snapshot: (work) => inSnapshot(reads, work),
    // Closed here and not through Kysely, which leaves a connection open that it has never used.
    close: async () => {
      reader.close();
      writer.execute('pragma wal_checkpoint(truncate)');
      writer.close();
    },
  };
}

/** The first read of a transaction fixes what the later ones see, and no writer waits for it. */
function inSnapshot<T>(reads: Executor, work: (reads: Executor) => Promise<T>): Promise<T> {
  return reads.connection().execute(async (connection) => {
    await sql`begin deferred`.execute(connection);
    try {
      return await work(connection);
    } finally {
      await sql`rollback`.execute(connection);
    }
  });
}

/** Only the owner may read the file: it holds hashes and sealed secrets. The log beside it takes over the mode. */
function makePrivateFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
}

function kyselyDialect(database: EmbeddedConnection): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new ImmediateDriver(database),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** Takes the write lock at the start: a transaction that reads first and writes later cannot fail half-way for it. */
class ImmediateDriver extends SqliteDriver {
  readonly #database: EmbeddedConnection;

  constructor(database: EmbeddedConnection) {
    super({ database });
    this.#database = database;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  /** Some failures (a full disk) have ended the transaction already; a second end would hide their message. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.inTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'));
  }
}
