import type { Selectable } from 'kysely';
import type { StoredSession } from '../../access/session.ts';
import type { MetadataDatabase } from '../metadata-database.ts';
import type { MetadataTables } from '../tables.ts';

/** Log-ins of the web UI; only hashes of their tokens (decisions K3). */
export class SessionTable {
  readonly #database: MetadataDatabase;

  constructor(database: MetadataDatabase) {
    this.#database = database;
  }

  async insert(session: StoredSession): Promise<void> {
    await this.#database.writes
      .insertInto('sessions')
      .values({
        id: session.id,
        token_hash: session.hash,
        account_id: session.accountId,
        password_mark: session.passwordMark,
        created_at: session.createdAtMs,
        expires_at: session.expiresAtMs,
      })
      .execute();
  }

  async findByHash(hash: string): Promise<StoredSession | undefined> {
    const row = await this.#database.reads
      .selectFrom('sessions')
      .selectAll()
      .where('token_hash', '=', hash)
      .executeTakeFirst();
    return row && toSession(row);
  }

  async update(id: string, changes: { expiresAtMs?: number; passwordMark?: string }): Promise<void> {
    await this.#database.writes
      .updateTable('sessions')
      .set({
        id,
        ...(changes.expiresAtMs !== undefined && { expires_at: changes.expiresAtMs }),
        ...(changes.passwordMark !== undefined && { password_mark: changes.passwordMark }),
      })
      .where('id', '=', id)
      .execute();
  }

  async end(id: string): Promise<void> {
    await this.#database.writes.deleteFrom('sessions').where('id', '=', id).execute();
  }

  async endAllOf(accountId: string): Promise<void> {
    await this.#database.writes.deleteFrom('sessions').where('account_id', '=', accountId).execute();
  }

  async trim(accountId: string, keep: number): Promise<void> {
    await this.#database.writes
      .deleteFrom('sessions')
      .where('account_id', '=', accountId)
      .where('sequence', 'not in', (newest) =>
        newest
          .selectFrom('sessions')
          .select('sequence')
          .where('account_id', '=', accountId)
          .orderBy('sequence', 'desc')
          .limit(keep),
      )
      .execute();
  }

  async removeExpired(nowMs: number): Promise<void> {
    await this.#database.writes.deleteFrom('sessions').where('expires_at', '<=', nowMs).execute();
  }
}

function toSession(row: Selectable<MetadataTables['sessions']>): StoredSession {
  return {
    id: row.id,
    hash: row.token_hash,
    accountId: row.account_id,
    passwordMark: row.password_mark,
    createdAtMs: row.created_at,
    expiresAtMs: row.expires_at,
  };
}
