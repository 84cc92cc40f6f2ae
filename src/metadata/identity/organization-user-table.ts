import type { Selectable } from 'kysely';
import type { OrganizationUser } from '../../access/organization-user.ts';
import { columnText } from '../bound-values.ts';
import type { MetadataDatabase } from '../metadata-database.ts';
import type { MetadataTables } from '../tables.ts';
import { presentColumns } from './null-columns.ts';

/** People of organizations (managed flavour). */
export class OrganizationUserTable {
  readonly #database: MetadataDatabase;

  constructor(database: MetadataDatabase) {
    this.#database = database;
  }

  async any(): Promise<boolean> {
    return (await this.#select().limit(1).executeTakeFirst()) !== undefined;
  }

  async find(id: string): Promise<OrganizationUser | undefined> {
    const row = await this.#select().where('id', '=', id).executeTakeFirst();
    return row && toUser(row);
  }

  async findByEmail(email: string): Promise<OrganizationUser | undefined> {
    const row = await this.#select().where('email', '=', columnText(email)).executeTakeFirst();
    return row && toUser(row);
  }

  async insert(user: OrganizationUser): Promise<'inserted' | 'emailTaken'> {
    const outcome = await this.#database.unlessTaken((executor) =>
      executor
        .insertInto('organization_users')
        .values({
          id: user.id,
          organization_id: user.organizationId,
          email: columnText(user.email),
          name: user.name === undefined ? null : columnText(user.name),
          password_hash: user.passwordHash,
          created_at: user.createdAtMs,
        })
        .execute(),
    );
    return outcome === 'taken' ? 'emailTaken' : 'inserted';
  }

  async setPassword(id: string, passwordHash: string): Promise<void> {
    await this.#database.writes
      .updateTable('organization_users')
      .set({ password_hash: passwordHash })
      .where('id', '=', id)
      .execute();
  }

  #select() {
    return this.#database.reads.selectFrom('organization_users').selectAll();
  }
}

function toUser(row: Selectable<MetadataTables['organization_users']>): OrganizationUser {
  return {
    id: row.id,
    organizationId: row.organization_id,
    email: row.email,
    passwordHash: row.password_hash,
    createdAtMs: row.created_at,
    ...presentColumns({ name: row.name }),
  };
}
