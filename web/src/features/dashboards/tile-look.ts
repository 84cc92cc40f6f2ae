import type { Tile } from '../../../../src/contract/tile.ts';

export type DisplayType =
  | 'line'
  | 'stacked_bar'
  | 'bar'
  | 'table'
  | 'number'
  | 'pie'
  | 'search'
  | 'markdown'
  | 'heatmap'
  | 'event_patterns';

/** How a tile of either form is drawn. */
export function displayTypeOf({ config, series }: Pick<Tile, 'config' | 'series'>): DisplayType {
  if (config) return config.displayType;
  const first = series?.[0];
  if (!first) return 'line';
  if (first.type === 'table' || first.type === 'number' || first.type === 'search' || first.type === 'markdown') {
    return first.type;
  }
  return first.displayType ?? 'line';
}

const alertable = new Set<DisplayType>(['line', 'stacked_bar', 'number']);

/** Whether an alert can watch this tile. */
export function isAlertable(tile: Pick<Tile, 'config' | 'series'>): boolean {
  return alertable.has(displayTypeOf(tile));
}
