import type { Migration } from './migration.ts';
import { tenantDocumentTable } from './table-shapes.ts';

export const pipes: Migration = {
  name: '0003-pipes',
  async up(schema, dialect) {
    await tenantDocumentTable(schema, dialect, 'pipes').execute();
  },
};
