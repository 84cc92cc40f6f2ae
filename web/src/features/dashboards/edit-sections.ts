import type { Container, Dashboard } from '../../../../src/contract/dashboard.ts';
import type { Tile } from '../../../../src/contract/tile.ts';
import { placedIn } from './edit-tiles.ts';
import { groupOf, type TileGroup, tilesOf } from './sections.ts';

/** The dashboard with one more section, the last. */
export function addSection(dashboard: Dashboard, container: Container): Dashboard {
  return { ...dashboard, containers: [...(dashboard.containers ?? []), container] };
}

/** The dashboard with the section as it was edited; tiles of tabs that are gone come after those of the first tab. */
export function changeSection(dashboard: Dashboard, container: Container): Dashboard {
  const { containers = [], tiles } = dashboard;
  const remaining = new Set((container.tabs ?? []).map(({ id }) => id));
  const orphans = tiles.filter(
    (tile) => tile.containerId === container.id && tile.tabId !== undefined && !remaining.has(tile.tabId),
  );
  const changed = { ...dashboard, containers: containers.map((one) => (one.id === container.id ? container : one)) };
  const [first] = container.tabs ?? [];
  const group = first ? { containerId: container.id, tabId: first.id } : { containerId: container.id };
  return moveTiles(changed, orphans, group);
}

/** The dashboard without the section. Its tiles stay, below those that are in no section. */
export function removeSection(dashboard: Dashboard, id: string): Dashboard {
  const own = dashboard.tiles.filter(({ containerId }) => containerId === id);
  const freed = moveTiles(dashboard, own, {});
  return { ...freed, containers: (dashboard.containers ?? []).filter((container) => container.id !== id) };
}

/** The dashboard with the section one place earlier (-1) or later (1); as it is at the edge. */
export function moveSection(dashboard: Dashboard, id: string, by: -1 | 1): Dashboard {
  return { ...dashboard, containers: movedBy(dashboard.containers ?? [], id, by) };
}

/** The items with one of them one place earlier or later. */
export function movedBy<Item extends { id: string }>(items: readonly Item[], id: string, by: -1 | 1): Item[] {
  const from = items.findIndex((item) => item.id === id);
  const [item, other] = [items[from], items[from + by]];
  if (!item || !other) return [...items];
  return items.with(from, other).with(from + by, item);
}

/** The dashboard with a tile in another group, where there is room for it. */
export function moveTile(dashboard: Dashboard, id: string, group: TileGroup): Dashboard {
  const tile = dashboard.tiles.find((one) => one.id === id);
  if (!tile || isSameGroup(groupOf(tile, dashboard.containers), group)) return dashboard;
  return moveTiles(dashboard, [tile], group);
}

export function isSameGroup(one: TileGroup, other: TileGroup): boolean {
  return one.containerId === other.containerId && one.tabId === other.tabId;
}

/** The tile in the group, at the place that it has. */
export function inGroup({ containerId: _container, tabId: _tab, ...tile }: Tile, group: TileGroup): Tile {
  return { ...tile, ...group };
}

/** The tile without references to a section or tab that does not exist. */
export function attached(tile: Tile, containers: readonly Container[] = []): Tile {
  const { containerId, tabId, ...loose } = tile;
  const container = containers.find(({ id }) => id === containerId);
  if (!container) return containerId === undefined && tabId === undefined ? tile : loose;
  if (tabId === undefined || container.tabs?.some(({ id }) => id === tabId)) return tile;
  return { ...loose, containerId: container.id };
}

/** One after the other in reading order, each to the first place that is free. */
function moveTiles(dashboard: Dashboard, moved: readonly Tile[], group: TileGroup): Dashboard {
  const ids = new Set(moved.map(({ id }) => id));
  const others = { ...dashboard, tiles: dashboard.tiles.filter(({ id }) => !ids.has(id)) };
  const target = tilesOf(others, group);
  const placed = new Map<string, Tile>();
  for (const tile of moved.toSorted((a, b) => a.y - b.y || a.x - b.x)) {
    const next = inGroup(placedIn([...target, ...placed.values()], tile), group);
    placed.set(tile.id, next);
  }
  return { ...dashboard, tiles: dashboard.tiles.map((tile) => placed.get(tile.id) ?? tile) };
}
