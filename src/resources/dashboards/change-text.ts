import { isDeepStrictEqual } from 'node:util';
import type { Tile } from '../../contract/tile.ts';
import type { Dashboard } from './dashboard.ts';

/** Characters of a text that says what changed. */
const textMax = 500;
const namesMax = 3;

const fieldTexts = [
  ['tags', 'tags changed'],
  ['filters', 'filters changed'],
  ['containers', 'sections changed'],
  ['savedQuery', 'saved query changed'],
  ['savedQueryLanguage', 'language of the saved query changed'],
  ['savedFilterValues', 'saved filter values changed'],
] as const;

/** What a save changed, for people: `“Errors” added; “Latency” changed; 3 tiles arranged`. */
export function changeText(before: Dashboard, after: Dashboard): string {
  const parts = [
    ...(before.name === after.name ? [] : [`renamed from “${shortName(before.name)}”`]),
    ...tileTexts(before.tiles, after.tiles),
    ...fieldTexts.flatMap(([field, text]) => (isDeepStrictEqual(before[field], after[field]) ? [] : [text])),
  ];
  // What is left is the order of keys, or of tiles.
  return shortened(capitalised(parts.join('; ') || 'rewritten'));
}

function tileTexts(before: readonly Tile[], after: readonly Tile[]): string[] {
  const known = new Map(before.map((tile) => [tile.id, tile]));
  const kept = new Set(after.map(({ id }) => id));
  const pairs = after.flatMap((tile) => {
    const old = known.get(tile.id);
    return old ? [{ tile, old }] : [];
  });
  const changed = pairs.filter(({ tile, old }) => !isDeepStrictEqual(withoutPlace(tile), withoutPlace(old)));
  const arranged = pairs.filter(
    (pair) => !changed.includes(pair) && !isDeepStrictEqual(placeOf(pair.tile), placeOf(pair.old)),
  );
  return [
    ...named(
      after.filter(({ id }) => !known.has(id)),
      'added',
    ),
    ...named(
      before.filter(({ id }) => !kept.has(id)),
      'removed',
    ),
    ...named(
      changed.map(({ tile }) => tile),
      'changed',
    ),
    ...(arranged.length === 0 ? [] : [`${arranged.length === 1 ? '1 tile' : `${arranged.length} tiles`} arranged`]),
  ];
}

function named(tiles: readonly Tile[], verb: string): string[] {
  if (tiles.length === 0) return [];
  const names = tiles.slice(0, namesMax).map(({ name }) => (name ? `“${shortName(name)}”` : 'an unnamed tile'));
  const rest = tiles.length - names.length;
  return [`${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''} ${verb}`];
}

function withoutPlace({ x: _x, y: _y, w: _w, h: _h, containerId: _in, tabId: _tab, ...rest }: Tile): object {
  return rest;
}

function placeOf({ x, y, w, h, containerId, tabId }: Tile): object {
  return { x, y, w, h, containerId, tabId };
}

function shortName(name: string): string {
  return name.length > 60 ? `${name.slice(0, 59)}…` : name;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function shortened(text: string): string {
  return text.length > textMax ? `${text.slice(0, textMax - 1)}…` : text;
}
