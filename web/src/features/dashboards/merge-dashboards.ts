import type { Dashboard } from '../../../../src/contract/dashboard.ts';
import type { Tile } from '../../../../src/contract/tile.ts';
import { type Difference, differenceOf, type Side, same } from '../editing/differences.ts';
import { attached } from './edit-sections.ts';

const fields = [
  'name',
  'tags',
  'filters',
  'savedQuery',
  'savedQueryLanguage',
  'savedFilterValues',
  'containers',
] as const;
type Field = (typeof fields)[number];

/** What I changed since `base`, and what someone else did, field by field. */
export function differencesOf(base: Dashboard, mine: Dashboard, theirs: Dashboard): Difference[] {
  const inFields = fields
    .filter((field) => !same(mine[field], theirs[field]))
    .map((field) => {
      const sides = { base: base[field], mine: mine[field], theirs: theirs[field] };
      return differenceOf(field, fieldLabels[field], sides, wordsOf);
    });
  const ids = new Set([...mine.tiles, ...theirs.tiles].map(({ id }) => id));
  const inTiles = [...ids]
    .map((id) => ({ id, base: tileOf(base, id), mine: tileOf(mine, id), theirs: tileOf(theirs, id) }))
    .filter((tile) => !same(tile.mine, tile.theirs))
    .map((tile) => {
      const name = tile.base?.name ?? tile.mine?.name ?? tile.theirs?.name ?? '';
      return differenceOf(`tile:${tile.id}`, name === '' ? 'Unnamed tile' : `Tile “${name}”`, tile, wordsOf);
    });
  return [...inFields, ...inTiles];
}

/** The dashboard with the chosen side in each place; places that are not chosen follow the suggestion. */
export function mergeDashboards(
  mine: Dashboard,
  theirs: Dashboard,
  differences: readonly Difference[],
  choices: ReadonlyMap<string, Side>,
): Dashboard {
  const taken = new Map(differences.map(({ key, suggested }) => [key, choices.get(key) ?? suggested]));
  const sideOf = (key: string) => (taken.get(key) === 'mine' ? mine : theirs);
  const ids = [...new Set([...theirs.tiles, ...mine.tiles].map(({ id }) => id))];
  const merged: Record<string, unknown> = { ...theirs };
  for (const field of fields) merged[field] = sideOf(field)[field];
  const tiles = ids.flatMap((id) => tileOf(sideOf(`tile:${id}`), id) ?? []);
  const { containers, ...rest } = merged as Dashboard;
  // The section of one side may be gone on the other.
  const kept = tiles.map((tile) => attached(tile, containers));
  return { ...rest, ...(containers ? { containers } : {}), tiles: kept };
}

const fieldLabels: Record<Field, string> = {
  name: 'Name',
  tags: 'Tags',
  filters: 'Filters',
  savedQuery: 'Saved query',
  savedQueryLanguage: 'Language of the saved query',
  savedFilterValues: 'Saved filter values',
  containers: 'Sections',
};

/** What became of a tile; a whole query says less than that it was changed. */
function wordsOf(base: unknown, now: unknown): string | undefined {
  if (!isTile(now)) return base === undefined ? 'added' : undefined;
  return isTile(base) ? changesOfTile(base, now) : 'added';
}

function changesOfTile(base: Tile, now: Tile): string {
  const changed: string[] = [];
  if (base.name !== now.name) changed.push(`renamed to “${now.name ?? ''}”`);
  if (base.x !== now.x || base.y !== now.y) changed.push('moved');
  if (base.containerId !== now.containerId || base.tabId !== now.tabId) changed.push('moved to another section');
  if (base.w !== now.w || base.h !== now.h) changed.push('resized');
  if (!same([base.series, base.config, base.asRatio], [now.series, now.config, now.asRatio]))
    changed.push('query changed');
  return changed.join(', ') || 'changed';
}

function isTile(value: unknown): value is Tile {
  return typeof value === 'object' && value !== null && 'x' in value && 'w' in value;
}

function tileOf(dashboard: Dashboard, id: string): Tile | undefined {
  return dashboard.tiles.find((tile) => tile.id === id);
}
