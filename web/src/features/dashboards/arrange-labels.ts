import type { Tile } from '../../../../src/contract/tile.ts';
import type { ArrangeStep } from './arrange-tiles.ts';

/** Where a tile is now, for those who don't see it: "Orders: column 5, row 1, 8 wide, 5 high". */
export function placeLabel({ name, x, y, w, h }: Tile): string {
  return `${name || 'Untitled tile'}: column ${x + 1}, row ${y + 1}, ${w} wide, ${h} high`;
}

const sizes = { left: 'narrower', right: 'wider', up: 'shorter', down: 'taller' };

/** Why nothing happened: "Orders can’t move further left". */
export function edgeLabel({ name }: Tile, { kind, direction }: ArrangeStep): string {
  const what = kind === 'move' ? `move further ${direction}` : `be ${sizes[direction]}`;
  return `${name || 'Untitled tile'} can’t ${what}`;
}
