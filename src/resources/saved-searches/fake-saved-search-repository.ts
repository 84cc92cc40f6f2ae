import type { SavedSearch, SavedSearchRepository } from './saved-search-repository.ts';

/** Saved searches in memory, in the order of their creation. */
export class FakeSavedSearchRepository implements SavedSearchRepository {
  readonly #tenants = new Map<string, Map<string, SavedSearch>>();

  async list(
    tenantId: string,
    { limit, offset }: { limit: number; offset: number },
  ): Promise<{ savedSearches: SavedSearch[]; total: number }> {
    const all = [...this.#of(tenantId).values()];
    return { savedSearches: all.slice(offset, offset + limit), total: all.length };
  }

  async find(tenantId: string, id: string): Promise<SavedSearch | undefined> {
    return this.#of(tenantId).get(id);
  }

  async insert(tenantId: string, savedSearch: SavedSearch): Promise<void> {
    this.#of(tenantId).set(savedSearch.id, savedSearch);
  }

  async replace(tenantId: string, savedSearch: SavedSearch): Promise<boolean> {
    if (!this.#of(tenantId).has(savedSearch.id)) return false;
    this.#of(tenantId).set(savedSearch.id, savedSearch);
    return true;
  }

  async remove(tenantId: string, id: string): Promise<{ deletedAlerts: string[] } | undefined> {
    return this.#of(tenantId).delete(id) ? { deletedAlerts: [] } : undefined;
  }

  #of(tenantId: string): Map<string, SavedSearch> {
    const own = this.#tenants.get(tenantId) ?? new Map<string, SavedSearch>();
    this.#tenants.set(tenantId, own);
    return own;
  }
}
