import type { DashboardRepository } from './dashboard-repository.ts';
import { type FavouriteOwner, type FavouriteRepository, favouritesMax } from './favourite-repository.ts';

/** In memory, beside dashboards of anywhere. */
export class FakeFavouriteRepository implements FavouriteRepository {
  readonly #dashboards: Pick<DashboardRepository, 'findText'>;
  readonly #chosen = new Map<string, Set<string>>();

  constructor(dashboards: Pick<DashboardRepository, 'findText'>) {
    this.#dashboards = dashboards;
  }

  async list(owner: FavouriteOwner): Promise<string[]> {
    const present: string[] = [];
    for (const id of this.#of(owner)) if (await this.#exists(owner, id)) present.push(id);
    return present;
  }

  async add(owner: FavouriteOwner, dashboardId: string): Promise<'added' | 'missing' | 'tooMany'> {
    if (!(await this.#exists(owner, dashboardId))) return 'missing';
    const chosen = this.#of(owner);
    if (!chosen.has(dashboardId) && chosen.size >= favouritesMax) return 'tooMany';
    chosen.add(dashboardId);
    return 'added';
  }

  async remove(owner: FavouriteOwner, dashboardId: string): Promise<void> {
    this.#of(owner).delete(dashboardId);
  }

  #of({ tenantId, userId }: FavouriteOwner): Set<string> {
    const key = `${tenantId} ${userId}`;
    const chosen = this.#chosen.get(key) ?? new Set();
    this.#chosen.set(key, chosen);
    return chosen;
  }

  async #exists({ tenantId }: FavouriteOwner, id: string): Promise<boolean> {
    return (await this.#dashboards.findText(tenantId, id)) !== undefined;
  }
}
