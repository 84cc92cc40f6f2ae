import type { InUseBy } from '../../contract/in-use.ts';
import type { ReferenceUsers } from '../connections/reference-users.ts';
import type { SavedSearchRepository } from '../saved-searches/saved-search-repository.ts';
import type { SourceRepository } from '../sources/source-repository.ts';
import { referencesOf } from './check-references.ts';
import type { Dashboard } from './dashboard.ts';
import type { DashboardRepository } from './dashboard-repository.ts';

export interface StoredReferenceUsersDeps {
  sources: Pick<SourceRepository, 'list'>;
  dashboards: Pick<DashboardRepository, 'textParts'>;
  savedSearches: Pick<SavedSearchRepository, 'list'>;
}

/**
 * Dashboards (tiles and filters) and saved searches use a source, sources and tiles of raw SQL a connection. The links
 * between sources only lead from one to the other, so they hold none.
 */
export class StoredReferenceUsers implements ReferenceUsers {
  readonly #deps: StoredReferenceUsersDeps;

  constructor(deps: StoredReferenceUsersDeps) {
    this.#deps = deps;
  }

  async usersOf(tenantId: string, referenced: { kind: 'source' | 'connection'; id: string }): Promise<InUseBy[]> {
    const dashboards = await this.#dashboards(tenantId, referenced);
    if (referenced.kind === 'source') return [...dashboards, ...(await this.#searches(tenantId, referenced.id))];
    return [...(await this.#sources(tenantId, referenced.id)), ...dashboards];
  }

  async #dashboards(tenantId: string, referenced: { kind: string; id: string }): Promise<InUseBy[]> {
    const users: InUseBy[] = [];
    for await (const texts of this.#deps.dashboards.textParts(tenantId, {})) {
      // Most dashboards are passed over without being parsed.
      for (const text of texts.filter((one) => one.includes(referenced.id))) {
        const dashboard: Dashboard = JSON.parse(text);
        const { id, name } = dashboard;
        if (pointsTo(dashboard, referenced)) users.push({ kind: 'dashboard', id, name });
      }
    }
    return users;
  }

  async #sources(tenantId: string, connectionId: string): Promise<InUseBy[]> {
    const all = await this.#deps.sources.list(tenantId);
    return all
      .filter(({ connection }) => connection === connectionId)
      .map(({ id, name }) => ({ kind: 'source', id, name }));
  }

  async #searches(tenantId: string, sourceId: string): Promise<InUseBy[]> {
    const all = await this.#deps.savedSearches.list(tenantId, { limit: Number.MAX_SAFE_INTEGER, offset: 0 });
    return all.savedSearches
      .filter((search) => search.sourceId === sourceId)
      .map(({ id, name }) => ({ kind: 'saved search', id, name }));
  }
}

function pointsTo(dashboard: Dashboard, { kind, id }: { kind: string; id: string }): boolean {
  const everyTile = dashboard.tiles.map((tile, index) => ({ tile, index }));
  return referencesOf(dashboard, everyTile).some((reference) => reference.kind === kind && reference.id === id);
}
