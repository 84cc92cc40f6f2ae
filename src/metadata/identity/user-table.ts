import type { Selectable } from 'kysely';
import type { User, UserChanges } from '../../access/identity-repository.ts';
import { columnText } from '../bound-values.ts';
import type { MetadataDatabase } from '../metadata-database.ts';
import type { MetadataTables } from '../tables.ts';
import { presentColumns } from './null-columns.ts';

const columns = ['id', 'tenant_id', 'email', 'name', 'role', 'password_hash', 'created_at'] as const;
type UserColumns = Pick<Selectable<MetadataTables['users']>, (typeof columns)[number]>;

/** Members of teams. */
export class UserTable {
  readonly #database: MetadataDatabase;

  constructor(database: MetadataDatabase) {
    this.#database = database;
  }

  async list(tenantId: string): Promise<User[]> {
    const rows = await this.#select().where('tenant_id', '=', tenantId).orderBy('sequence').execute();
    return rows.map(toUser);
  }

  async find(id: string): Promise<User | undefined> {
    const row = await this.#select().where('id', '=', id).executeTakeFirst();
    return row && toUser(row);
  }

  async findByEmail(email: string): Promise<User | undefined> {
    const row = await this.#select().where('email', '=', columnText(email)).executeTakeFirst();
    return row && toUser(row);
  }

  async findOwner(tenantId: string): Promise<User | undefined> {
    const row = await this.#select()
      .where('tenant_id', '=', tenantId)
      .where('role', '=', 'owner')
      .orderBy('sequence')
      .limit(1)
      .executeTakeFirst();
    return row && toUser(row);
  }

  async insert(user: User): Promise<'inserted' | 'emailTaken'> {
    const outcome = await this.#database.unlessTaken((executor) =>
      executor
        .insertInto('users')
        .values({
          id: user.id,
          tenant_id: user.tenantId,
          email: user.email === undefined ? null : columnText(user.email),
          name: user.name === undefined ? null : columnText(user.name),
          role: user.role,
          password_hash: user.passwordHash ?? null,
          created_at: user.createdAtMs,
        })
        .execute(),
    );
    return outcome === 'taken' ? 'emailTaken' : 'inserted';
  }

  async update(id: string, changes: UserChanges): Promise<'updated' | 'missing' | 'emailTaken'> {
    const outcome = await this.#database.unlessTaken((executor) =>
      executor
        .updateTable('users')
        .set({
          id,
          ...(changes.email !== undefined && { email: columnText(changes.email) }),
          ...(changes.name !== undefined && { name: columnText(changes.name) }),
          ...(changes.passwordHash !== undefined && { password_hash: changes.passwordHash }),
        })
        .where('id', '=', id)
        .executeTakeFirst(),
    );
    if (outcome === 'taken') return 'emailTaken';
    return outcome.numUpdatedRows > 0n ? 'updated' : 'missing';
  }

  async anyPassword(): Promise<boolean> {
    const row = await this.#database.reads
      .selectFrom('users')
      .select('sequence')
      .where('password_hash', 'is not', null)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Keys and favourites of the user go with it. */
  async remove(tenantId: string, id: string): Promise<'removed' | 'missing'> {
    await this.#database.writes
      .deleteFrom('favourites')
      .where('tenant_id', '=', tenantId)
      .where('user_id', '=', id)
      .execute();
    const result = await this.#database.writes
      .deleteFrom('users')
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .executeTakeFirst();
    return result.numDeletedRows > 0n ? 'removed' : 'missing';
  }

  #select() {
    return this.#database.reads.selectFrom('users').select(columns);
  }
}

function toUser(row: UserColumns): User {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    role: row.role,
    createdAtMs: row.created_at,
    ...presentColumns({ email: row.email, name: row.name, passwordHash: row.password_hash }),
  };
}
