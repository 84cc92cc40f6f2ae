import type { Tile, TileInput } from '../../contract/tile.ts';
import type { UnplacedTile } from './place-tiles.ts';

/**
 * The tiles after an update, in the order of the request (decisions D4): a known id is that tile, whose omitted fields
 * keep their stored value; no id, or one unknown to this dashboard, makes a new tile with a new id.
 */
export function reconcileTiles(
  stored: readonly Tile[],
  sent: readonly TileInput[],
  newId: () => string,
): UnplacedTile[] {
  const known = new Map(stored.map((tile) => [tile.id, tile]));
  return sent.map((tile) => {
    const current = tile.id === undefined ? undefined : known.get(tile.id);
    return current ? mergeTile(current, tile) : { ...tile, id: newId() };
  });
}

/** Field by field; writing one form drops the other form that was stored. */
function mergeTile(current: Tile, sent: TileInput): UnplacedTile {
  const { series, asRatio, config, ...rest } = current;
  const writesConfig = sent.config !== undefined;
  const writesSeries = sent.series !== undefined || sent.asRatio !== undefined;
  return {
    ...rest,
    ...(!writesConfig && series !== undefined && { series }),
    ...(!writesConfig && asRatio !== undefined && { asRatio }),
    ...(!writesSeries && config !== undefined && { config }),
    ...sent,
    id: current.id,
  };
}
