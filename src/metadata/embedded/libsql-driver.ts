import type { SqliteDatabase, SqliteStatement } from 'kysely';
import Libsql from 'libsql';
import { checkBoundValues } from '../bound-values.ts';
import { toLibsqlError } from './libsql-error.ts';

const busyTimeoutMs = 10_000;
const cachedStatementsMax = 300;

/** The one file that knows the embedded SQL library; Kysely asks no more of it than this. */
export interface EmbeddedConnection extends SqliteDatabase {
  readonly inTransaction: boolean;
  execute(sql: string): void;
  /** A number that another connection's commits change, whichever process it is in. */
  changeStamp(): () => number;
}

/** Waits up to 10 s for a lock that another process holds. */
export function connectLibsql(file: string): EmbeddedConnection {
  return new LibsqlConnection(new Libsql(file, { timeout: busyTimeoutMs }));
}

/** Keeps prepared statements: preparing costs four times as much as running a point read. */
class LibsqlConnection implements EmbeddedConnection {
  readonly #database: Libsql.Database;
  readonly #statements = new Map<string, SqliteStatement>();

  constructor(database: Libsql.Database) {
    this.#database = database;
  }

  get inTransaction(): boolean {
    return this.#database.inTransaction;
  }

  execute(sql: string): void {
    naming(() => this.#database.exec(sql));
  }

  changeStamp(): () => number {
    const statement = this.#database.prepare('pragma data_version').raw(true);
    // The pragma answers one row, and raw rows are lists, which the types of libsql do not know.
    return () => naming(() => (statement.get([]) as unknown as [number])[0]);
  }

  prepare(sql: string): SqliteStatement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = checked(naming(() => this.#database.prepare(sql)));
    this.#statements.set(sql, statement);
    if (this.#statements.size > cachedStatementsMax) this.#dropOldest();
    return statement;
  }

  /** The library lets go of the file only when the statements are collected as garbage, so they are dropped too. */
  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #dropOldest(): void {
    for (const oldest of this.#statements.keys()) {
      this.#statements.delete(oldest);
      return;
    }
  }
}

function checked(statement: Libsql.Statement): SqliteStatement {
  return {
    reader: statement.reader,
    all: (values) => naming(() => statement.all(checkBoundValues(values))),
    run: (values) => naming(() => statement.run(checkBoundValues(values))),
    iterate: (values) => naming(() => statement.iterate(checkBoundValues(values))),
  };
}

function naming<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toLibsqlError(error);
  }
}
