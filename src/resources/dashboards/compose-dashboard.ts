import {
  type Container,
  ContainerSchema,
  type CreateDashboard,
  type SavedFilterValue,
  type UpdateDashboard,
} from '../../contract/dashboard.ts';
import type { Dashboard } from './dashboard.ts';
import { pick } from './pick.ts';
import { placeTiles } from './place-tiles.ts';
import { reconcileFilters } from './reconcile-filters.ts';
import { newTile, reconcileTiles } from './reconcile-tiles.ts';

/** The dashboard that a POST makes: the ids of tiles in the request are ignored (decisions D4). */
export function newDashboard(input: CreateDashboard, newId: () => string): Dashboard {
  const { name, tags = [], tiles = [], filters } = input;
  return {
    id: newId(),
    name,
    tags,
    tiles: placeTiles(tiles.map((tile) => newTile(tile, newId()))),
    ...(filters && { filters: reconcileFilters([], filters, newId) }),
    ...extensionsOf(input),
  };
}

/** The dashboard after a PUT: what the request omits is unchanged (seed §Update dashboard, decisions D3). */
export function changedDashboard(current: Dashboard, patch: UpdateDashboard, newId: () => string): Dashboard {
  const { name, tags, tiles, filters } = patch;
  const changed = {
    ...current,
    ...(name !== undefined && { name }),
    ...(tags && { tags }),
    ...(tiles && { tiles: placeTiles(reconcileTiles(current.tiles, tiles, newId)) }),
    ...(filters && { filters: reconcileFilters(current.filters ?? [], filters, newId) }),
    ...extensionsOf(patch),
  };
  return clearLanguage(changed, patch);
}

/** A saved query that is taken away takes its language with it. */
function clearLanguage(dashboard: Dashboard, patch: UpdateDashboard): Dashboard {
  const cleared = patch.savedQuery === null && patch.savedQueryLanguage === undefined;
  return cleared && dashboard.savedQueryLanguage ? { ...dashboard, savedQueryLanguage: null } : dashboard;
}

/** Unknown keys beside tiles are dropped (decisions F8). */
function extensionsOf({ savedQuery, savedQueryLanguage, savedFilterValues, containers }: UpdateDashboard) {
  return {
    ...(savedQuery !== undefined && { savedQuery }),
    ...(savedQueryLanguage !== undefined && { savedQueryLanguage }),
    ...(savedFilterValues && { savedFilterValues: savedFilterValues.map(knownFilterValue) }),
    ...(containers && { containers: containers.map(knownContainer) }),
  };
}

function knownFilterValue(value: SavedFilterValue): SavedFilterValue {
  return pick(value, ['type', 'condition']);
}

function knownContainer(container: Container): Container {
  const known = pick(container, Object.keys(ContainerSchema.properties));
  return known.tabs ? { ...known, tabs: known.tabs.map((tab) => pick(tab, ['id', 'title'])) } : known;
}
