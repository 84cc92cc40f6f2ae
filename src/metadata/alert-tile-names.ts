import type { TileNames } from '../evaluator/ports.ts';
import type { Dashboard } from '../resources/dashboards/dashboard.ts';
import type { MetadataDatabase } from './metadata-database.ts';
import { parseDocument } from './stored-document.ts';

export class SqlTileNames implements TileNames {
  readonly #database: MetadataDatabase;

  constructor(database: MetadataDatabase) {
    this.#database = database;
  }

  async find(tenantId: string, dashboardId: string, tileId: string): Promise<{ dashboard?: string; tile?: string }> {
    const row = await this.#database.reads
      .selectFrom('dashboards')
      .select('document')
      .where('tenant_id', '=', tenantId)
      .where('id', '=', dashboardId)
      .executeTakeFirst();
    if (!row) return {};
    const { name, tiles } = parseDocument<Dashboard>(row.document);
    const tile = tiles.find(({ id }) => id === tileId)?.name;
    return { dashboard: name, ...(tile !== undefined && { tile }) };
  }
}
