import type { NumberFormat } from '../../../../src/contract/number-format.ts';
import type { Tile } from '../../../../src/contract/tile.ts';
import { isSqlConfig } from '../../../../src/contract/tile-config.ts';

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

/** How the numbers of a tile are written: what is said of its first query, or of the whole. */
export function numberFormatOf({ config, series }: Pick<Tile, 'config' | 'series'>): NumberFormat | undefined {
  const [item] = config && 'select' in config && Array.isArray(config.select) ? config.select : [];
  const ofItem = item && 'numberFormat' in item ? item.numberFormat : undefined;
  const ofConfig = config && 'numberFormat' in config ? config.numberFormat : undefined;
  const ofSeries = series?.find((one) => 'numberFormat' in one);
  return ofConfig ?? ofItem ?? (ofSeries && 'numberFormat' in ofSeries ? ofSeries.numberFormat : undefined);
}

const alertable = new Set<DisplayType>(['line', 'stacked_bar', 'number']);

/** Whether an alert can watch this tile: not one of raw SQL. */
export function isAlertable(tile: Pick<Tile, 'config' | 'series'>): boolean {
  return alertable.has(displayTypeOf(tile)) && !(tile.config && isSqlConfig(tile.config));
}
