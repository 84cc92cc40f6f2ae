import { sql } from 'kysely';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import { openEmbedded } from './embedded/open-embedded.ts';
import { CommittingDatabase, type OpenStore } from './metadata-database.ts';
import { migrate } from './migrations/migrate.ts';
import { migrationList } from './migrations/migration-list.ts';
import { openPostgres } from './postgres/open-postgres.ts';
import { type Repositories, repositoriesOver } from './repositories.ts';
import { TransactionWatch } from './transaction-watch.ts';

export type MetadataLocation = { kind: 'embedded'; file: string } | { kind: 'postgres'; url: string };

export interface MetadataOptions {
  location: MetadataLocation;
  clock: Clock;
  logger: Logger;
  /** Throw when code writes past the transaction it runs in; for tests. */
  watchTransactions?: boolean;
}

export interface MetadataStore extends Repositories {
  /**
   * One transaction over all repositories (provisioning): commits when `work` resolves, rolls back when it throws.
   * Inside, write through the repositories that `work` receives; writing through the outer ones throws.
   */
  transaction<T>(work: (inside: Repositories) => Promise<T>): Promise<T>;
  /** Brings the schema up to date; answers the names of the steps applied. Opening has done it already. */
  migrate(): Promise<readonly string[]>;
  /** Reads and writes; rejects with `StoreUnavailableError` when the store cannot do either right now. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the store and brings its schema up to date.
 *
 * @throws MetadataError `unreachable`, or `newer_schema` when a newer version of the program has written to it
 */
export async function openMetadata(options: MetadataOptions): Promise<MetadataStore> {
  const open = await openStoreAt(options.location, options.logger);
  const watch = options.watchTransactions ? new TransactionWatch() : undefined;
  const store = metadataStoreOver(new CommittingDatabase(open, watch), open.close, options.clock);
  try {
    const applied = await store.migrate();
    if (applied.length > 0) options.logger.info({ applied }, 'metadata schema brought up to date');
    return store;
  } catch (error) {
    await open.close();
    throw error;
  }
}

/** The store as it is, without bringing its schema up to date. @throws {MetadataError} */
export async function openStoreAt(location: MetadataLocation, logger: Logger): Promise<OpenStore> {
  return location.kind === 'embedded' ? openEmbedded(location.file) : openPostgres(location.url, logger);
}

function metadataStoreOver(database: CommittingDatabase, close: () => Promise<void>, clock: Clock): MetadataStore {
  return {
    ...repositoriesOver(database),
    transaction: (work) => database.transaction((inside) => work(repositoriesOver(inside))),
    migrate: () => migrate(database, migrationList, clock.nowMs()),
    ping: async () => {
      await sql`select 1`.execute(database.reads);
      // Only a real write detects a full disk or a server that became a standby.
      await database.dialect.probeWrite.execute(database.writes);
    },
    close,
  };
}
