import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Container, Dashboard } from '../../../../src/contract/dashboard.ts';
import type { Tile } from '../../../../src/contract/tile.ts';
import { dashboardBody } from './dashboard-body.ts';
import { addSection, attached, changeSection, moveSection, moveTile, removeSection } from './edit-sections.ts';
import { duplicateOf, newTile, placedIn } from './edit-tiles.ts';
import { groupOf, groupsOf, openInUrl, sectionViews, tilesOf } from './sections.ts';

const tile = (id: string, patch: Partial<Tile> = {}): Tile => ({ id, name: id, x: 0, y: 0, w: 8, h: 4, ...patch });
const plain: Container = { id: 'p', title: 'Plain', collapsed: false };
const tabbed: Container = {
  ...{ id: 't', title: 'Tabbed', collapsed: true },
  tabs: [
    { id: 'one', title: 'One' },
    { id: 'two', title: 'Two' },
  ],
};
const board: Dashboard = {
  ...{ id: 'd', name: 'Board', tags: [], containers: [plain, tabbed] },
  tiles: [
    tile('loose'),
    tile('a', { containerId: 'p' }),
    tile('b', { containerId: 'p', x: 8 }),
    tile('c', { containerId: 't', tabId: 'two' }),
    tile('d', { containerId: 't' }),
    tile('dangling', { containerId: 'gone', tabId: 'one' }),
  ],
};
const ids = (tiles: readonly Tile[]) => tiles.map(({ id }) => id);
const viewsOf = (url: object) =>
  sectionViews(board, url).map(({ container, isOpen, tabId, tiles }) => [container.id, isOpen, tabId, ids(tiles)]);

describe('sections as they are looked at', () => {
  it.each([
    { says: 'as they are stored', url: {}, open: [true, false], tab: 'one', tiles: ['d'] },
    { says: 'as the address opens them', url: { 'section-t': 'open', 'section-p': 'closed' }, open: [false, true] },
    { says: 'at the tab of the address', url: { 'tab-t': 'two' }, tab: 'two', tiles: ['c'] },
    { says: 'at the first tab, if the address names none', url: { 'tab-t': 'gone' }, tab: 'one' },
    { says: 'where a link to a tile leads', url: { highlightedTileId: 'c' }, open: [true, true], tab: 'two' },
    { says: 'closed although a link leads there', url: { highlightedTileId: 'c', 'section-t': 'closed' }, tab: 'two' },
  ])('$says', ({ url, open = [true, false], tab = 'one', tiles }) => {
    const [first, second] = viewsOf(url);
    expect(first).toEqual(['p', open[0], undefined, ['a', 'b']]);
    expect(second).toEqual(['t', open[1], tab, tiles ?? (tab === 'one' ? ['d'] : ['c'])]);
  });

  it('one that can’t be collapsed is open', () => {
    const containers = [{ ...plain, collapsed: true, collapsible: false }];
    expect(sectionViews({ tiles: [], containers }, { 'section-p': 'closed' })[0]?.isOpen).toBe(true);
  });

  it('the address says only what is not stored', () => {
    expect(openInUrl(plain, true, {})).toEqual({ 'section-p': undefined });
    expect(openInUrl(plain, false, {})).toEqual({ 'section-p': 'closed' });
    expect(openInUrl(plain, true, { highlightedTileId: 'a' })).toEqual({ 'section-p': 'open' });
  });

  it('each tile is in one group; what refers to nothing is in none', () => {
    const groups = groupsOf(board.containers).map(({ group }) => ids(tilesOf(board, group)));
    expect(groups).toEqual([['loose', 'dangling'], ['a', 'b'], ['d'], ['c']]);
  });
});

describe('sections as they are edited', () => {
  it('one is added at the end, and moved one place', () => {
    const more = addSection(board, { id: 'n', title: 'New', collapsed: false });
    const order = (dashboard: Dashboard) => dashboard.containers?.map(({ id }) => id);
    expect(order(more)).toEqual(['p', 't', 'n']);
    expect(order(moveSection(more, 'n', -1))).toEqual(['p', 'n', 't']);
    expect(order(moveSection(more, 'n', 1))).toEqual(['p', 't', 'n']);
    expect(order(moveSection(more, 'p', 1))).toEqual(['t', 'p', 'n']);
  });

  it('the tiles of one that is removed stay, without covering others', () => {
    const without = removeSection(board, 'p');
    expect(without.containers).toEqual([tabbed]);
    expect(ids(tilesOf(without, {}))).toEqual(['loose', 'a', 'b', 'dangling']);
    expectFree(tilesOf(without, {}).filter(({ id }) => id !== 'dangling'));
  });

  it('tiles of a removed tab go to the first, or to the section if none is left', () => {
    const [one] = tabbed.tabs ?? [];
    const first = changeSection(board, { ...tabbed, tabs: one ? [one] : [] });
    expect(ids(tilesOf(first, { containerId: 't', tabId: 'one' }))).toEqual(['c', 'd']);
    const none = changeSection(board, { id: 't', title: 'Tabbed', collapsed: true });
    expect(ids(tilesOf(none, { containerId: 't' }))).toEqual(['c', 'd']);
    expectFree(tilesOf(none, { containerId: 't' }));
  });

  it('a tile that is moved keeps its size; where it is already, nothing changes', () => {
    const moved = moveTile(board, 'loose', { containerId: 'p' });
    expect(moved.tiles[0]).toEqual(tile('loose', { containerId: 'p', x: 16 }));
    expect(moveTile(board, 'd', { containerId: 't', tabId: 'one' })).toBe(board);
    expect(moveTile(moved, 'loose', {}).tiles[0]).toEqual(tile('loose', { x: 8 }));
  });

  it('what is saved says which tiles have left', () => {
    const body = dashboardBody(removeSection(board, 't'), board);
    const sent = Object.fromEntries(
      (body.tiles ?? []).map(({ id = '', containerId, tabId }) => [id, [containerId, tabId]]),
    );
    expect(sent).toMatchObject({
      c: [null, null],
      d: [null, undefined],
      a: ['p', undefined],
      loose: [undefined, undefined],
    });
  });

  it('references to what does not exist are dropped', () => {
    const kept = board.tiles.map((one) => attached(one, board.containers));
    expect(kept.slice(0, 5)).toEqual(board.tiles.slice(0, 5));
    expect(kept[5]).toEqual(tile('dangling'));
    expect(attached(tile('e', { containerId: 't', tabId: 'gone' }), board.containers)).toEqual(
      tile('e', { containerId: 't' }),
    );
    expect(groupOf(tile('e', { containerId: 'p', tabId: 'gone' }), board.containers)).toEqual({ containerId: 'p' });
  });
});

describe('new tiles', () => {
  it.each([
    { says: 'at the top of an empty grid', others: [], at: [0, 0] },
    { says: 'beside the last one', others: [tile('a', { w: 12, h: 7 })], at: [12, 0] },
    { says: 'below, if there is no room', others: [tile('a', { w: 13, h: 7 })], at: [0, 7] },
    { says: 'in a gap', others: [tile('a', { w: 12, h: 7 }), tile('b', { y: 7, w: 24 })], at: [12, 0] },
  ])('$says', ({ others, at }) => {
    const { x, y, w, h } = newTile(others, 'n');
    expect([x, y, w, h]).toEqual([...at, 12, 7]);
  });

  it('a copy is as large as what it is made of', () => {
    expect(duplicateOf(tile('a'), [tile('a')], 'n')).toEqual(tile('n', { name: 'a (copy)', x: 8 }));
  });

  it('cover no other tile and begin in the first place that is free', () => {
    const size = fc.record({ w: fc.integer({ min: 1, max: 24 }), h: fc.integer({ min: 1, max: 6 }) });
    fc.assert(
      fc.property(fc.array(size, { maxLength: 12 }), size, (sizes, next) => {
        const placed: Tile[] = [];
        for (const one of [...sizes, next]) placed.push(placedIn(placed, tile(`${placed.length}`, one)));
        expectFree(placed);
        const last = placed.pop();
        expect([last?.x, last?.y]).toEqual(firstFree(placed, next));
      }),
    );
  });
});

/** Cell by cell. */
function firstFree(others: readonly Tile[], { w, h }: { w: number; h: number }): [number, number] {
  for (let y = 0; ; y++) {
    for (let x = 0; x + w <= 24; x++) {
      const cells = (one: Tile) => one.x < x + w && x < one.x + one.w && one.y < y + h && y < one.y + one.h;
      if (!others.some(cells)) return [x, y];
    }
  }
}

function expectFree(tiles: readonly Tile[]): void {
  const cells = tiles.flatMap(({ x, y, w, h }) =>
    Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
}
