import { importLimits } from '../../../contract/dashboard-import.ts';
import { type ImportContext, NotTaken } from './import-context.ts';
import { integerOf, type JsonObject, textOf } from './json-values.ts';

/** The name by which notes call a tile. */
export function tileLabel(name: string, index: number): string {
  return name.trim() === '' ? `Tile ${index + 1}` : `Tile “${name}”`;
}

/** The tiles that can be taken; the others are noted with the reason. */
export function takenTiles(
  items: readonly JsonObject[],
  context: ImportContext,
  { nameOf, take }: { nameOf: (item: JsonObject) => string; take: (item: JsonObject, label: string) => object },
): object[] {
  if (items.length > importLimits.tiles) {
    context.leftOut('Tiles', `Only the first ${importLimits.tiles} of ${items.length} are looked at.`);
  }
  return items.slice(0, importLimits.tiles).flatMap((item, index) => {
    const label = tileLabel(nameOf(item), index);
    try {
      return [take(item, label)];
    } catch (error) {
      if (!(error instanceof NotTaken)) throw error;
      context.leftOut(label, error.message);
      return [];
    }
  });
}

/** Place and section of a tile, as far as it says them. */
export function placeOf(item: JsonObject): object {
  const numbers = ['x', 'y', 'w', 'h'].flatMap((key) => {
    const value = integerOf(item[key]);
    return value === undefined ? [] : [[key, value]];
  });
  const { containerId, tabId } = item;
  const inside = typeof containerId === 'string' && containerId !== '';
  return {
    ...Object.fromEntries(numbers),
    ...(inside && { containerId, ...(textOf(tabId) !== '' && { tabId }) }),
  };
}
