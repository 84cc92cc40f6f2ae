import type { Dashboard } from '../../resources/dashboards/dashboard.ts';

/**
 * The dashboard of the file with the ids of the stored one, so that alerts and links keep their tiles (interface: ids
 * stay). A tile is matched by its name, else by its place; filters likewise.
 */
export function keepDashboardIds(stored: Dashboard, wanted: Dashboard): Dashboard {
  const filters = wanted.filters && keepIds(stored.filters ?? [], wanted.filters);
  return { ...wanted, id: stored.id, tiles: keepIds(stored.tiles, wanted.tiles), ...(filters && { filters }) };
}

function keepIds<Item extends { id: string; name?: string }>(stored: readonly Item[], wanted: readonly Item[]): Item[] {
  const used = new Set<string>();
  const take = (item: Item | undefined): string | undefined => {
    if (!item || used.has(item.id)) return undefined;
    used.add(item.id);
    return item.id;
  };
  const byName = wanted.map(({ name }) =>
    take(stored.find((item) => name !== undefined && item.name === name && !used.has(item.id))),
  );
  return wanted.map((item, index) => ({ ...item, id: byName[index] ?? take(stored[index]) ?? item.id }));
}
