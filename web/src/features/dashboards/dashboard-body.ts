import type { Dashboard, UpdateDashboard } from '../../../../src/contract/dashboard.ts';
import type { TileInput } from '../../../../src/contract/tile.ts';

/** The body that saves a dashboard. New tiles and filters go without the id that they have here: the server gives one. */
export function dashboardBody({ id: _id, tiles, filters, ...rest }: Dashboard, base: Dashboard): UpdateDashboard {
  return {
    ...rest,
    tiles: withKnownIds(tiles, base.tiles).map((tile) => leaving(tile, base.tiles)),
    ...(filters ? { filters: withKnownIds(filters, base.filters ?? []) } : {}),
  };
}

/** A stored tile that is in no section or tab any more says so: what is omitted would stay. */
function leaving(tile: TileInput, stored: Dashboard['tiles']): TileInput {
  const before = stored.find(({ id }) => id === tile.id);
  return {
    ...tile,
    ...(before?.containerId !== undefined && tile.containerId === undefined ? { containerId: null } : {}),
    ...(before?.tabId !== undefined && tile.tabId === undefined ? { tabId: null } : {}),
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
