import { evaluatedSeries } from '../contract/evaluated-series.ts';
import type { Tile } from '../contract/tile.ts';
import type { TileNames, WatchedNames } from '../evaluator/ports.ts';
import type { Watched } from '../resources/alerts/alert.ts';
import type { Dashboard } from '../resources/dashboards/dashboard.ts';
import type { SavedSearch } from '../resources/saved-searches/saved-search-repository.ts';
import type { Source } from '../resources/sources/source.ts';
import { findDocument } from './find-document.ts';
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
    const document = await findDocument(this.#database.reads, 'saved_searches', tenantId, savedSearchId);
    if (document === undefined) return {};
    const { name, sourceId } = parseDocument<SavedSearch>(document);
    return { savedSearch: name, source: await this.#source(tenantId, sourceId) };
  }

  async #findTile(tenantId: string, { dashboardId, tileId }: WatchedTile): Promise<WatchedNames> {
    const document = await findDocument(this.#database.reads, 'dashboards', tenantId, dashboardId);
    if (document === undefined) return {};
    const { name, tiles } = parseDocument<Dashboard>(document);
    const tile = tiles.find(({ id }) => id === tileId);
    if (!tile) return { dashboard: name };
    const sourceId = sourceIdOf(tile);
    const series = evaluatedSeries(tile);
    return {
      dashboard: name,
      ...(tile.name !== undefined && { tile: tile.name }),
      ...(sourceId !== undefined && { source: await this.#source(tenantId, sourceId) }),
      ...(series !== undefined && { series }),
    };
  }

  async #source(tenantId: string, id: string): Promise<{ id: string; name?: string }> {
    const document = await findDocument(this.#database.reads, 'sources', tenantId, id);
    return { id, ...(document !== undefined && { name: parseDocument<Source>(document).name }) };
  }
}

function sourceIdOf({ config, series }: Tile): string | undefined {
  if (config) return 'sourceId' in config ? config.sourceId : undefined;
  return series?.at(-1)?.sourceId;
}
