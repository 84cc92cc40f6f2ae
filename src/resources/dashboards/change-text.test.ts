import { describe, expect, it } from 'vitest';
import type { Tile } from '../../contract/tile.ts';
import { changeText } from './change-text.ts';
import type { Dashboard } from './dashboard.ts';

const place = { x: 0, y: 0, w: 12, h: 6 };

function tile(id: string, parts: Partial<Tile> = {}): Tile {
  return { id, name: id, ...place, ...parts };
}

function board(parts: Partial<Dashboard> = {}): Dashboard {
  return { id: 'd', name: 'Shop', tags: [], tiles: [tile('a'), tile('b')], ...parts };
}

describe('what a save changed, in words', () => {
  it.each<[string, Dashboard]>([
    ['Renamed from “Shop”; tags changed', board({ name: 'Store', tags: ['x'] })],
    ['“c” added', board({ tiles: [tile('a'), tile('b'), tile('c')] })],
    ['“b” removed', board({ tiles: [tile('a')] })],
    ['“Errors” changed', board({ tiles: [tile('a', { name: 'Errors', x: 3 }), tile('b')] })],
    ['2 tiles arranged', board({ tiles: [tile('a', { w: 6 }), tile('b', { containerId: 's' })] })],
    [
      '“1”, “2”, “3” and 2 more added; “a”, “b” removed',
      board({ tiles: ['1', '2', '3', '4', '5'].map((id) => tile(id)) }),
    ],
    ['An unnamed tile added', board({ tiles: [tile('a'), tile('b'), tile('c', { name: '' })] })],
    ['Filters changed; sections changed', board({ filters: [], containers: [] })],
    ['Saved query changed', board({ savedQuery: 'x' })],
    ['Rewritten', board({ tiles: [tile('b'), tile('a')] })],
  ])('%s', (text, after) => {
    expect(changeText(board(), after)).toBe(text);
  });

  it('stays short whatever names there are', () => {
    const long = (id: string) => tile(id, { name: id.repeat(1024) });
    const before = board({ name: 'n'.repeat(1024), tiles: ['a', 'b', 'c', 'd', 'e', 'f'].map(long) });
    const after = board({ tiles: ['1', '2', '3', '4'].map(long).concat(['a', 'b', 'c'].map((id) => tile(id))) });
    expect(changeText(before, after)).toHaveLength(500);
  });
});
