import type { Dashboard, UpdateDashboard } from '../../../../src/contract/dashboard.ts';

/** The body that saves a dashboard. New tiles and filters go without the id that they have here: the server gives one. */
export function dashboardBody({ id: _id, tiles, filters, ...rest }: Dashboard, base: Dashboard): UpdateDashboard {
  return {
    ...rest,
    tiles: withKnownIds(tiles, base.tiles),
    ...(filters ? { filters: withKnownIds(filters, base.filters ?? []) } : {}),
  };
}

function withKnownIds<T extends { id: string }>(items: readonly T[], stored: readonly T[]): (Omit<T, 'id'> | T)[] {
  const known = new Set(stored.map(({ id }) => id));
  return items.map((item) => {
    if (known.has(item.id)) return item;
    const { id: _id, ...rest } = item;
    return rest;
  });
}
