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
    return current ? mergeTile(current, tile) : newTile(tile, newId());
  });
}

/** A tile that did not exist; what would take it out of a section says nothing. */
export function newTile({ containerId, tabId, ...tile }: TileInput, id: string): UnplacedTile {
  return { ...tile, ...sectionOf({ containerId, tabId }, {}), id };
}

/** Field by field; writing one form drops the other form that was stored. */
function mergeTile(current: Tile, sent: TileInput): UnplacedTile {
  const { series, asRatio, config, containerId, tabId, ...rest } = current;
  const { containerId: sentContainer, tabId: sentTab, ...fields } = sent;
  const writesConfig = sent.config !== undefined;
  const writesSeries = sent.series !== undefined || sent.asRatio !== undefined;
  return {
    ...rest,
    ...(!writesConfig && series !== undefined && { series }),
    ...(!writesConfig && asRatio !== undefined && { asRatio }),
    ...(!writesSeries && config !== undefined && { config }),
    ...fields,
    ...sectionOf({ containerId: sentContainer, tabId: sentTab }, { containerId, tabId }),
    id: current.id,
  };
}

interface Section<Id> {
  containerId: Id | undefined;
  tabId: Id | undefined;
}

/** `null` leaves the section, with its tab, or the tab alone; another section is entered without the tab of the last. */
function sectionOf(
  sent: Section<string | null>,
  current: Partial<Section<string>>,
): { containerId?: string; tabId?: string } {
  const containerId = sent.containerId === undefined ? current.containerId : (sent.containerId ?? undefined);
  const stays = containerId !== undefined && containerId === current.containerId;
  const tabId = sent.tabId === undefined ? (stays ? current.tabId : undefined) : (sent.tabId ?? undefined);
  return { ...(containerId !== undefined && { containerId }), ...(tabId !== undefined && { tabId }) };
}
