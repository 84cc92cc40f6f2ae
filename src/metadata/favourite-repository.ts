import {
  type FavouriteOwner,
  type FavouriteRepository,
  favouritesMax,
} from '../resources/dashboards/favourite-repository.ts';
import type { MetadataDatabase } from './metadata-database.ts';

export class SqlFavouriteRepository implements FavouriteRepository {
  readonly #database: MetadataDatabase;

  constructor(database: MetadataDatabase) {
    this.#database = database;
  }

  async list({ tenantId, userId }: FavouriteOwner): Promise<string[]> {
    const rows = await this.#database.reads
      .selectFrom('favourites')
      .innerJoin('dashboards', (on) =>
        on
          .onRef('dashboards.id', '=', 'favourites.dashboard_id')
          .onRef('dashboards.tenant_id', '=', 'favourites.tenant_id'),
      )
      .select('favourites.dashboard_id')
      .where('favourites.tenant_id', '=', tenantId)
      .where('favourites.user_id', '=', userId)
      .execute();
    return rows.map(({ dashboard_id }) => dashboard_id);
  }

  add({ tenantId, userId }: FavouriteOwner, dashboardId: string): Promise<'added' | 'missing' | 'tooMany'> {
    return this.#database.transaction(async ({ writes, dialect }) => {
      // One after the other for a person, so that the limit holds.
      await dialect.lock(writes, `favourites of ${userId}`);
      const dashboard = await writes
        .selectFrom('dashboards')
        .select('id')
        .where('tenant_id', '=', tenantId)
        .where('id', '=', dashboardId)
        .executeTakeFirst();
      if (!dashboard) return 'missing';
      const chosen = await writes
        .selectFrom('favourites')
        .select('dashboard_id')
        .where('tenant_id', '=', tenantId)
        .where('user_id', '=', userId)
        .execute();
      if (chosen.some(({ dashboard_id }) => dashboard_id === dashboardId)) return 'added';
      if (chosen.length >= favouritesMax) return 'tooMany';
      const row = { tenant_id: tenantId, user_id: userId, dashboard_id: dashboardId };
      await writes.insertInto('favourites').values(row).execute();
      return 'added';
    });
  }

  async remove({ tenantId, userId }: FavouriteOwner, dashboardId: string): Promise<void> {
    await this.#database.writes
      .deleteFrom('favourites')
      .where('tenant_id', '=', tenantId)
      .where('user_id', '=', userId)
      .where('dashboard_id', '=', dashboardId)
      .execute();
  }
}
