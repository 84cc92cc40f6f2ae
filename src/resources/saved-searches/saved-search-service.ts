import { AppError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { PageQuery } from '../../contract/pagination.ts';
import type { SavedSearchInput } from '../../contract/saved-search.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { SourceRepository } from '../sources/source-repository.ts';
import { filtersProblem } from './check-saved-search.ts';
import type { SavedSearch, SavedSearchRepository } from './saved-search-repository.ts';
import { toSavedSearch } from './to-saved-search.ts';

export interface SavedSearchServiceDeps {
  savedSearches: SavedSearchRepository;
  sources: SourceRepository;
  ids: Ids;
  clock: Clock;
}

export interface SavedSearchPage {
  savedSearches: SavedSearch[];
  page: { total: number; limit: number; offset: number };
}

/** The rules of saved searches (contract §8). Every method stays within one tenant. */
export class SavedSearchService {
  readonly #savedSearches: SavedSearchRepository;
  readonly #sources: SourceRepository;
  readonly #ids: Ids;
  readonly #clock: Clock;

  constructor({ savedSearches, sources, ids, clock }: SavedSearchServiceDeps) {
    this.#savedSearches = savedSearches;
    this.#sources = sources;
    this.#ids = ids;
    this.#clock = clock;
  }

  /** In order of creation. */
  async list(tenantId: string, { limit = limits.pageSize, offset = 0 }: PageQuery): Promise<SavedSearchPage> {
    const { savedSearches, total } = await this.#savedSearches.list(tenantId, { limit, offset });
    return { savedSearches, page: { total, limit, offset } };
  }

  /** Throws `saved_search_not_found`, also for another tenant's id (decisions F2). */
  async get(tenantId: string, id: string): Promise<SavedSearch> {
    const found = await this.#savedSearches.find(tenantId, id);
    if (!found) throw new AppError('saved_search_not_found');
    return found;
  }

  /** Throws `request_invalid` for an empty name, a source that is not the tenant's, or a filter of another form. */
  async create(tenantId: string, input: SavedSearchInput): Promise<SavedSearch> {
    await this.#check(tenantId, input, []);
    const now = this.#now();
    const created = toSavedSearch({ id: this.#ids.hex24(), createdAt: now, updatedAt: now }, input);
    await this.#savedSearches.insert(tenantId, created);
    return created;
  }

  /** Replaces the whole record. Throws `saved_search_not_found`, and `request_invalid` as `create` does. */
  async replace(tenantId: string, id: string, input: SavedSearchInput): Promise<SavedSearch> {
    const { createdAt, filters } = await this.get(tenantId, id);
    await this.#check(tenantId, input, filters);
    const replaced = toSavedSearch({ id, createdAt, updatedAt: this.#now() }, input);
    if (!(await this.#savedSearches.replace(tenantId, replaced))) throw new AppError('saved_search_not_found');
    return replaced;
  }

  /** Its alerts go with it. Throws `saved_search_not_found`. */
  async remove(tenantId: string, id: string): Promise<string[]> {
    const removed = await this.#savedSearches.remove(tenantId, id);
    if (!removed) throw new AppError('saved_search_not_found');
    return removed.deletedAlerts;
  }

  async #check(tenantId: string, input: SavedSearchInput, stored: SavedSearch['filters']): Promise<void> {
    const problem = input.name.trim() === '' ? 'name: must not be empty.' : filtersProblem(input.filters ?? [], stored);
    if (problem) throw new AppError('request_invalid', { public: problem });
    if (await this.#sources.find(tenantId, input.sourceId)) return;
    throw new AppError('request_invalid', { public: `sourceId: there is no source ${input.sourceId}.` });
  }

  #now(): string {
    return new Date(this.#clock.nowMs()).toISOString();
  }
}
