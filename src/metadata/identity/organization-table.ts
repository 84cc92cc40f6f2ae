import type { Organization } from '../../access/identity-repository.ts';
import { columnText } from '../bound-values.ts';
import type { MetadataDatabase } from '../metadata-database.ts';

/** Organizations of the managed flavour. */
export class OrganizationTable {
  readonly #database: MetadataDatabase;

  constructor(database: MetadataDatabase) {
    this.#database = database;
  }

  list(): Promise<Organization[]> {
    return this.#database.reads.selectFrom('organizations').select(['id', 'name']).orderBy('sequence').execute();
  }

  find(id: string): Promise<Organization | undefined> {
    return this.#database.reads
      .selectFrom('organizations')
      .select(['id', 'name'])
      .where('id', '=', id)
      .executeTakeFirst();
  }

  async save(organization: Organization, nowMs: number): Promise<void> {
    const name = columnText(organization.name);
    await this.#database.writes
      .insertInto('organizations')
      .values({ id: organization.id, name, created_at: nowMs })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ name }))
      .execute();
  }
}
