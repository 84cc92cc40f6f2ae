/** So many dashboards a person can have at hand. */
export const favouritesMax = 200;

/** Whose favourites. */
export interface FavouriteOwner {
  tenantId: string;
  userId: string;
}

export interface FavouriteRepository {
  /** Ids of the dashboards that there are, in no order. */
  list(owner: FavouriteOwner): Promise<string[]>;
  /** Nothing changes if it is one. */
  add(owner: FavouriteOwner, dashboardId: string): Promise<'added' | 'missing' | 'tooMany'>;
  /** Nothing changes if it is none. */
  remove(owner: FavouriteOwner, dashboardId: string): Promise<void>;
}
