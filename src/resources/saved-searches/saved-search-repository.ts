import type { SavedSearchRecord } from '../../contract/saved-search.ts';

/** The stored document is the wire document without the tenant (contract §8). */
export type SavedSearch = Omit<SavedSearchRecord, 'teamId'>;

export interface SavedSearchRepository {
  /** In order of creation. */
  list(
    tenantId: string,
    page: { limit: number; offset: number },
  ): Promise<{ savedSearches: SavedSearch[]; total: number }>;
  find(tenantId: string, id: string): Promise<SavedSearch | undefined>;
  insert(tenantId: string, savedSearch: SavedSearch): Promise<void>;
  /** False when there is none. */
  replace(tenantId: string, savedSearch: SavedSearch): Promise<boolean>;
  /** Removes its alerts in the same transaction and answers their ids; `undefined` when there is no such search. */
  remove(tenantId: string, id: string): Promise<{ deletedAlerts: string[] } | undefined>;
}
