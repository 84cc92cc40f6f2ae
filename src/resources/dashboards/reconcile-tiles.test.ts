import { describe, expect, it } from 'vitest';
import type { Tile } from '../../contract/tile.ts';
import { placeTiles } from './place-tiles.ts';
import { reconcileTiles } from './reconcile-tiles.ts';

const place = { x: 1, y: 2, w: 3, h: 4 };
const config = { displayType: 'markdown', markdown: 'hi' } as const;
const a: Tile = { id: 'a', ...place, name: 'A', series: [], asRatio: true };
const b: Tile = { id: 'b', ...place, config };

function newIds(): () => string {
  let next = 0;
  return () => `new-${next++}`;
}

describe('reconcileTiles (decisions D4)', () => {
  it.each([
    ['known id: omitted fields keep their value', [{ id: 'a', name: 'x' }], [{ ...a, name: 'x' }]],
    ['order is the request’s', [{ id: 'b' }, { id: 'a' }], [b, a]],
    ['no id is a new tile', [{ name: 'n' }], [{ id: 'new-0', name: 'n' }]],
    ['an unknown id is a new tile', [{ id: 'zz', name: 'n' }], [{ id: 'new-0', name: 'n' }]],
    ['config drops series and asRatio', [{ id: 'a', config }], [{ id: 'a', ...place, name: 'A', config }]],
    ['series drops config', [{ id: 'b', series: [] }], [{ id: 'b', ...place, series: [] }]],
    ['nothing sent removes all', [], []],
  ])('%s', (_title, sent, expected) => {
    expect(reconcileTiles([a, b], sent, newIds())).toEqual(expected);
  });
});

describe('the section of a tile', () => {
  const inside: Tile = { id: 'a', ...place, containerId: 'c', tabId: 't' };
  const none = {};

  it.each([
    ['stays if nothing is sent', {}, { containerId: 'c', tabId: 't' }],
    ['is left with null, and its tab with it', { containerId: null }, none],
    ['loses the tab with null', { tabId: null }, { containerId: 'c' }],
    ['changes, without the tab of the last', { containerId: 'd' }, { containerId: 'd' }],
    ['changes with its tab', { containerId: 'd', tabId: 'u' }, { containerId: 'd', tabId: 'u' }],
    ['is the same with another tab', { tabId: 'u' }, { containerId: 'c', tabId: 'u' }],
    ['is sent as it is stored', { containerId: 'c' }, { containerId: 'c', tabId: 't' }],
    // Refused when the dashboard is checked.
    ['has a tab without a section', { containerId: null, tabId: 'u' }, { tabId: 'u' }],
  ])('%s', (_title, sent, expected) => {
    const [tile] = reconcileTiles([inside], [{ id: 'a', ...sent }], newIds());
    expect(tile).toEqual({ id: 'a', ...place, ...expected });
  });

  it('of a new tile is what is sent, and null is none', () => {
    expect(reconcileTiles([], [{ containerId: null, tabId: null }, { containerId: 'c' }], newIds())).toEqual([
      { id: 'new-0' },
      { id: 'new-1', containerId: 'c' },
    ]);
  });
});

describe('placeTiles (decisions D7)', () => {
  it.each([
    ['an empty grid', [{}], [[0, 0, 8, 10]]],
    [
      'below the last',
      [{ y: 5, h: 2 }, {}, {}],
      [
        [0, 5, 8, 2],
        [0, 7, 8, 10],
        [0, 17, 8, 10],
      ],
    ],
    ['a place that was sent stays', [{ x: 20, y: 0, w: 4, h: 1 }], [[20, 0, 4, 1]]],
    ['the width ends at the edge', [{ x: 20 }], [[20, 0, 4, 10]]],
    [
      'never beyond the last row that may be sent',
      [{ y: 100_000, h: 100_000 }, {}],
      [
        [0, 100_000, 8, 100_000],
        [0, 100_000, 8, 10],
      ],
    ],
  ])('%s', (_title, tiles, expected) => {
    const placed = placeTiles(tiles.map((tile, index) => ({ ...tile, id: `${index}` })));
    expect(placed.map(({ x, y, w, h }) => [x, y, w, h])).toEqual(expected);
  });
});
