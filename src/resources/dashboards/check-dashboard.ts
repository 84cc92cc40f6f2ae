import { isDeepStrictEqual } from 'node:util';
import type { UpdateDashboard } from '../../contract/dashboard.ts';
import type { Problem } from '../../contract/problem.ts';
import { checkContainers, repeatedIds } from './check-containers.ts';
import { checkFilters } from './check-filters.ts';
import { checkTile } from './check-tile.ts';
import type { Dashboard } from './dashboard.ts';

/** A tile that this write made or changed, with its place in the list. */
export interface ChangedTile {
  tile: Dashboard['tiles'][number];
  index: number;
}

/** What a stored dashboard already had is not validated again: a rule made later never locks it (contract §2.8). */
export function changedTiles(before: Dashboard | undefined, after: Dashboard): ChangedTile[] {
  const stored = new Map(before?.tiles.map((tile) => [tile.id, tile]));
  return after.tiles
    .map((tile, index) => ({ tile, index }))
    .filter(({ tile }) => !isDeepStrictEqual(tile, stored.get(tile.id)));
}

/** Rules about the ids that a request carries. */
export function checkSentIds(sent: UpdateDashboard, isCreate: boolean): Problem[] {
  if (isCreate) return filterIdsOnCreate(sent);
  return [...repeatedIdProblems('tiles', sent.tiles), ...repeatedIdProblems('filters', sent.filters)];
}

function filterIdsOnCreate({ filters = [] }: UpdateDashboard): Problem[] {
  return filters.flatMap(({ id }, index) =>
    id === undefined ? [] : [{ path: `filters.${index}.id`, message: 'must not be sent: the service assigns it' }],
  );
}

function repeatedIdProblems(list: string, items: readonly { id?: string }[] = []): Problem[] {
  return repeatedIds(items).map((index) => ({
    path: `${list}.${index}.id`,
    message: `the id ${JSON.stringify(items[index]?.id)} is used more than once; omit it to add a new one`,
  }));
}

/** Rules of a whole dashboard that need nothing but itself. */
export function checkDashboard(after: Dashboard, changed: readonly ChangedTile[]): Problem[] {
  const tiles = changed.flatMap(({ tile, index }) =>
    checkTile(tile).map(({ path, message }) => ({ path: path ? `tiles.${index}.${path}` : `tiles.${index}`, message })),
  );
  return [...tiles, ...checkSavedQuery(after), ...checkFilters(after.filters ?? []), ...checkContainers(after)];
}

function checkSavedQuery({ savedQuery, savedQueryLanguage }: Dashboard): Problem[] {
  if (!savedQuery || savedQueryLanguage !== null) return [];
  return [{ path: 'savedQueryLanguage', message: 'must not be null when there is a savedQuery' }];
}
