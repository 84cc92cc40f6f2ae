import { useState } from 'react';
import type { Tile } from '../../../../src/contract/tile.ts';
import { edgeLabel, placeLabel } from './arrange-labels.ts';
import { type ArrangeStep, arrangeTile } from './arrange-tiles.ts';

interface Begun {
  tileId: string;
  before: readonly Tile[];
  /** What the last step made of them. Whatever else changes the tiles ends what can be put back. */
  after: readonly Tile[];
}

/** Steps of single tiles, what is said about them, and the way back to where a tile was before them. */
export function useArranging(tiles: readonly Tile[], onMove: (tiles: Tile[]) => void) {
  const [begun, setBegun] = useState<Begun>();
  const [said, setSaid] = useState('');
  const current = begun && areSame(begun.after, tiles) ? begun : undefined;

  const step = (tile: Tile, by: ArrangeStep) => {
    const after = arrangeTile(tiles, tile.id, by);
    const now = after?.find(({ id }) => id === tile.id);
    if (!after || !now) return setSaid(edgeLabel(tile, by));
    setBegun({ tileId: tile.id, before: current?.tileId === tile.id ? current.before : tiles, after });
    setSaid(placeLabel(now));
    onMove(after);
  };
  const putBack = (tileId: string) => {
    if (current?.tileId !== tileId) return;
    const before = [...current.before];
    const tile = before.find(({ id }) => id === tileId);
    setBegun(undefined);
    if (tile) setSaid(`Put back. ${placeLabel(tile)}`);
    onMove(before);
  };
  return { said, step, putBack };
}

/** The same tiles, not only equal ones: the tiles of a grid are picked from those of the dashboard each time. */
function areSame(one: readonly Tile[], other: readonly Tile[]): boolean {
  return one.length === other.length && one.every((tile, index) => tile === other[index]);
}
