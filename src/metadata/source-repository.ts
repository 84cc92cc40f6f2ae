import type { Source } from '../resources/sources/source.ts';
import type { SourceRepository } from '../resources/sources/source-repository.ts';
import { RememberedDocuments } from './find-document.ts';
import type { MetadataDatabase } from './metadata-database.ts';
import { lockReferences } from './reference-lock.ts';
import { parseDocument } from './stored-document.ts';

/**
 * A foreign key holds that a source's connection exists and is of the same tenant; writing one whose connection was
 * removed after the caller looked for it throws.
 */
export class SqlSourceRepository implements SourceRepository {
  readonly #database: MetadataDatabase;
  readonly #documents: RememberedDocuments;

  constructor(database: MetadataDatabase) {
    this.#database = database;
    this.#documents = new RememberedDocuments(database, 'sources');
  }

  async list(tenantId: string): Promise<Source[]> {
    const rows = await this.#database.reads
      .selectFrom('sources')
      .select('document')
      .where('tenant_id', '=', tenantId)
      .orderBy('sequence')
      .execute();
    return rows.map((row) => parseDocument<Source>(row.document));
  }

  async find(tenantId: string, id: string): Promise<Source | undefined> {
    const document = await this.#documents.find(tenantId, id);
    return document === undefined ? undefined : parseDocument<Source>(document);
  }

  insert(tenantId: string, source: Source): Promise<void> {
    return this.#database.transaction(async (inside) => {
      await lockReferences(inside, 'connections', tenantId);
      await inside.writes
        .insertInto('sources')
        .values({
          id: source.id,
          tenant_id: tenantId,
          connection_id: source.connection,
          document: JSON.stringify(source),
        })
        .execute();
    });
  }

  replace(tenantId: string, source: Source): Promise<boolean> {
    return this.#database.transaction(async (inside) => {
      await lockReferences(inside, 'connections', tenantId);
      const result = await inside.writes
        .updateTable('sources')
        .set({ connection_id: source.connection, document: JSON.stringify(source) })
        .where('tenant_id', '=', tenantId)
        .where('id', '=', source.id)
        .executeTakeFirst();
      return result.numUpdatedRows > 0n;
    });
  }

  async remove(tenantId: string, id: string): Promise<boolean> {
    const result = await this.#database.writes
      .deleteFrom('sources')
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .executeTakeFirst();
    return result.numDeletedRows > 0n;
  }
}
