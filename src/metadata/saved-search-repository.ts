import type { SavedSearch, SavedSearchRepository } from '../resources/saved-searches/saved-search-repository.ts';
import { readDocumentPage } from './document-page.ts';
import { findDocument } from './find-document.ts';
import type { MetadataDatabase } from './metadata-database.ts';
import { parseDocument } from './stored-document.ts';

/** A foreign key holds that the saved search of an alert exists. */
export class SqlSavedSearchRepository implements SavedSearchRepository {
  readonly #database: MetadataDatabase;

  constructor(database: MetadataDatabase) {
    this.#database = database;
  }

  async list(
    tenantId: string,
    page: { limit: number; offset: number },
  ): Promise<{ savedSearches: SavedSearch[]; total: number }> {
    const { documents, total } = await readDocumentPage<SavedSearch>(
      this.#database.reads,
      'saved_searches',
      tenantId,
      page,
    );
    return { savedSearches: documents, total };
  }

  async find(tenantId: string, id: string): Promise<SavedSearch | undefined> {
    const document = await findDocument(this.#database.reads, 'saved_searches', tenantId, id);
    return document === undefined ? undefined : parseDocument<SavedSearch>(document);
  }

  async insert(tenantId: string, savedSearch: SavedSearch): Promise<void> {
    await this.#database.writes
      .insertInto('saved_searches')
      .values({ id: savedSearch.id, tenant_id: tenantId, document: JSON.stringify(savedSearch) })
      .execute();
  }

  async replace(tenantId: string, savedSearch: SavedSearch): Promise<boolean> {
    const result = await this.#database.writes
      .updateTable('saved_searches')
      .set({ document: JSON.stringify(savedSearch) })
      .where('tenant_id', '=', tenantId)
      .where('id', '=', savedSearch.id)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }

  remove(tenantId: string, id: string): Promise<{ deletedAlerts: string[] } | undefined> {
    return this.#database.transaction(async ({ writes }) => {
      const alerts = await writes
        .deleteFrom('alerts')
        .where('tenant_id', '=', tenantId)
        .where('saved_search_id', '=', id)
        .returning('id')
        .execute();
      const result = await writes
        .deleteFrom('saved_searches')
        .where('tenant_id', '=', tenantId)
        .where('id', '=', id)
        .executeTakeFirst();
      if (result.numDeletedRows === 0n) return undefined;
      return { deletedAlerts: alerts.map((alert) => alert.id).sort() };
    });
  }
}
