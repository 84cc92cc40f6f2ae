import type { TileNames, WatchedNames } from '../evaluator/ports.ts';
import type { Watched } from '../resources/alerts/alert.ts';
import type { Dashboard } from '../resources/dashboards/dashboard.ts';
import type { SavedSearch } from '../resources/saved-searches/saved-search-repository.ts';
import type { MetadataDatabase } from './metadata-database.ts';
import { parseDocument } from './stored-document.ts';

type WatchedTile = Extract<Watched, { kind: 'tile' }>;
type WatchedSearch = Extract<Watched, { kind: 'savedSearch' }>;

export class SqlTileNames implements TileNames {
  readonly #database: MetadataDatabase;

  constructor(database: MetadataDatabase) {
    this.#database = database;
  }

  async find(tenantId: string, watched: Watched): Promise<WatchedNames> {
    return watched.kind === 'tile' ? this.#findTile(tenantId, watched) : this.#findSearch(tenantId, watched);
  }

  async #findSearch(tenantId: string, { savedSearchId }: WatchedSearch): Promise<WatchedNames> {
    const row = await this.#database.reads
      .selectFrom('saved_searches')
      .select('document')
      .where('tenant_id', '=', tenantId)
      .where('id', '=', savedSearchId)
      .executeTakeFirst();
    return row ? { savedSearch: parseDocument<SavedSearch>(row.document).name } : {};
  }

  async #findTile(tenantId: string, { dashboardId, tileId }: WatchedTile): Promise<WatchedNames> {
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
