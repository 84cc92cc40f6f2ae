import type { Dashboard } from '../../../../src/contract/dashboard.ts';
import type { Tile } from '../../../../src/contract/tile.ts';

export type Side = 'mine' | 'theirs';

/** One place in which two edits of the same dashboard differ. */
export interface Difference {
  /** `tile:<id>`, or a field of the dashboard. */
  key: string;
  label: string;
  mine: string;
  theirs: string;
  /** Both changed it: somebody has to choose. Otherwise the one side that changed it wins. */
  conflict: boolean;
  suggested: Side;
}

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

const same = (a: unknown, b: unknown) => canonical(a) === canonical(b);

/** JSON whose keys stand in one order: a server may answer them in another one than they were sent in. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/** What I changed since `base`, and what somebody else did, place by place. */
export function differencesOf(base: Dashboard, mine: Dashboard, theirs: Dashboard): Difference[] {
  const inFields = fields
    .filter((field) => !same(mine[field], theirs[field]))
    .map((field) => difference(field, fieldLabels[field], base[field], mine[field], theirs[field]));
  const ids = new Set([...mine.tiles, ...theirs.tiles].map(({ id }) => id));
  const inTiles = [...ids]
    .map((id) => ({ id, base: tileOf(base, id), mine: tileOf(mine, id), theirs: tileOf(theirs, id) }))
    .filter((tile) => !same(tile.mine, tile.theirs))
    .map((tile) => {
      const name = tile.mine?.name ?? tile.theirs?.name ?? '';
      return difference(
        `tile:${tile.id}`,
        name === '' ? 'Tile without name' : `Tile “${name}”`,
        tile.base,
        tile.mine,
        tile.theirs,
      );
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
  return { ...(merged as Dashboard), tiles };
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

function difference(key: string, label: string, base: unknown, mine: unknown, theirs: unknown): Difference {
  const changedByMe = !same(base, mine);
  return {
    key,
    label,
    mine: describe(base, mine),
    theirs: describe(base, theirs),
    conflict: changedByMe && !same(base, theirs),
    suggested: changedByMe ? 'mine' : 'theirs',
  };
}

function describe(base: unknown, now: unknown): string {
  if (now === undefined) return base === undefined ? 'absent' : 'removed';
  if (base === undefined) return 'added';
  if (same(base, now)) return 'unchanged';
  if (isTile(base) && isTile(now)) return changesOfTile(base, now);
  return `changed to ${typeof now === 'string' ? `“${now}”` : JSON.stringify(now)}`;
}

function changesOfTile(base: Tile, now: Tile): string {
  const changed: string[] = [];
  if (base.name !== now.name) changed.push(`renamed to “${now.name ?? ''}”`);
  if (base.x !== now.x || base.y !== now.y) changed.push('moved');
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
