import type { CreateDashboard, Dashboard } from '../../../../src/contract/dashboard.ts';

type Listed = Pick<Dashboard, 'name' | 'tags' | 'tiles'>;

export const sortings = [
  { value: 'oldest', label: 'Oldest first' },
  { value: 'newest', label: 'Newest first' },
  { value: 'name', label: 'By name' },
  { value: 'tiles', label: 'Most tiles first' },
];

/** Those with the tag, and with the text in their name or in one of their tags. */
export function dashboardsFound<T extends Listed>(
  dashboards: readonly T[],
  { text, tag }: { text: string; tag: string | undefined },
): T[] {
  const matches = (one: string) => one.toLowerCase().includes(text.trim().toLowerCase());
  return dashboards.filter(
    ({ name, tags }) => (tag === undefined || tags.includes(tag)) && (matches(name) || tags.some(matches)),
  );
}

/** The API lists by creation. */
export function sortedBy<T extends Listed>(sort: string | undefined, dashboards: readonly T[]): T[] {
  if (sort === 'newest') return dashboards.toReversed();
  if (sort === 'name') {
    return dashboards.toSorted((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
  }
  return sort === 'tiles' ? dashboards.toSorted((a, b) => b.tiles.length - a.tiles.length) : [...dashboards];
}

/** Otherwise in the same order. */
export function favouritesFirst<T extends { id: string }>(
  favourites: ReadonlySet<string>,
  dashboards: readonly T[],
): T[] {
  const isFavourite = ({ id }: T) => favourites.has(id);
  return [...dashboards.filter(isFavourite), ...dashboards.filter((dashboard) => !isFavourite(dashboard))];
}

/** What creates a copy: the same content, without the ids of the original. */
export function copyOf({ id: _id, name, tiles, filters, ...rest }: Dashboard): CreateDashboard {
  return {
    ...rest,
    name: `${name} (copy)`,
    tiles: tiles.map(withoutId),
    ...(filters ? { filters: filters.map(withoutId) } : {}),
  };
}

function withoutId<T extends { id: string }>({ id: _id, ...rest }: T): Omit<T, 'id'> {
  return rest;
}
