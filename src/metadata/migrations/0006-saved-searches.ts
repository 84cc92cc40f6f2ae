import type { Migration } from './migration.ts';
import { tenantDocumentTable } from './table-shapes.ts';

/** Saved searches, and the place in which an alert says which one it watches. */
export const savedSearches: Migration = {
  name: '0006-saved-searches',
  async up(schema, dialect) {
    await tenantDocumentTable(schema, dialect, 'saved_searches').execute();
    await schema.schema
      .alterTable('alerts')
      .addColumn('saved_search_id', 'text', (column) => column.references('saved_searches.id').onDelete('cascade'))
      .execute();
    await schema.schema
      .createIndex('alerts_saved_search')
      .on('alerts')
      .columns(['tenant_id', 'saved_search_id'])
      .execute();
  },
};
