import type { Migration } from './migration.ts';
import { tenantDocumentTable } from './table-shapes.ts';

/** Silences, and what people said of single alerts. */
export const silences: Migration = {
  name: '0007-silences',
  async up(schema, dialect) {
    await tenantDocumentTable(schema, dialect, 'silences').addColumn('ends_ms', dialect.integerType).execute();
    await schema.schema.createIndex('silences_end').on('silences').columns(['tenant_id', 'ends_ms']).execute();
    for (const column of ['silenced', 'acknowledged']) {
      await schema.schema.alterTable('alerts').addColumn(column, 'text').execute();
    }
  },
};
