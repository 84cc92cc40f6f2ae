import { describe, expect, it } from 'vitest';
import type { Dashboard } from '../../../../src/contract/dashboard.ts';
import type { Tile } from '../../../../src/contract/tile.ts';
import { differencesOf, mergeDashboards } from './merge-dashboards.ts';

const tile = (id: string, patch: Partial<Tile> = {}): Tile => ({ id, name: id, x: 0, y: 0, w: 6, h: 3, ...patch });
const board = (patch: Partial<Dashboard> = {}): Dashboard => ({
  id: 'd1',
  name: 'Shop',
  tags: [],
  tiles: [tile('a'), tile('b')],
  ...patch,
});

function mergedBy(mine: Dashboard, theirs: Dashboard, choices: [string, 'mine' | 'theirs'][] = []): Dashboard {
  return mergeDashboards(mine, theirs, differencesOf(board(), mine, theirs), new Map(choices));
}

describe('two people edit one dashboard', () => {
  it('edits of different tiles are both kept, without a choice', () => {
    const mine = board({ tiles: [tile('a', { name: 'A2' }), tile('b')] });
    const theirs = board({ tiles: [tile('a'), tile('b', { w: 12 })] });
    expect(differencesOf(board(), mine, theirs).map(({ conflict }) => conflict)).toEqual([false, false]);
    expect(mergedBy(mine, theirs).tiles).toEqual([tile('a', { name: 'A2' }), tile('b', { w: 12 })]);
  });

  it('edits of one tile are a choice, said in words', () => {
    const mine = board({ tiles: [tile('a', { name: 'Mine' }), tile('b')] });
    const theirs = board({ tiles: [tile('a', { x: 6 }), tile('b')] });
    expect(differencesOf(board(), mine, theirs)).toEqual([
      {
        key: 'tile:a',
        label: 'Tile “a”',
        mine: 'renamed to “Mine”',
        theirs: 'moved',
        conflict: true,
        suggested: 'mine',
      },
    ]);
    expect(mergedBy(mine, theirs, [['tile:a', 'theirs']]).tiles[0]).toEqual(tile('a', { x: 6 }));
    expect(mergedBy(mine, theirs).tiles[0]).toEqual(tile('a', { name: 'Mine' }));
  });

  it('a tile that I added and one that they removed', () => {
    const mine = board({ tiles: [tile('a'), tile('b'), tile('c')] });
    const theirs = board({ tiles: [tile('a')] });
    expect(mergedBy(mine, theirs).tiles.map(({ id }) => id)).toEqual(['a', 'c']);
  });

  it('a tile that I changed and they removed is not lost without a choice', () => {
    const mine = board({ tiles: [tile('a', { h: 9 }), tile('b')] });
    const theirs = board({ tiles: [tile('b')] });
    expect(mergedBy(mine, theirs).tiles.map(({ id }) => id)).toEqual(['b', 'a']);
    expect(mergedBy(mine, theirs, [['tile:a', 'theirs']]).tiles.map(({ id }) => id)).toEqual(['b']);
  });

  it('names and tags are merged like tiles', () => {
    const merged = mergedBy(board({ name: 'Store' }), board({ tags: ['prod'] }));
    expect([merged.name, merged.tags]).toEqual(['Store', ['prod']]);
  });

  it('the order of keys is no difference', () => {
    const { id, name, ...rest } = tile('b');
    expect(differencesOf(board(), board(), board({ tiles: [tile('a'), { ...rest, name: name ?? '', id }] }))).toEqual(
      [],
    );
  });
});
