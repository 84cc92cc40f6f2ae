import type { NumberFormat } from '../../../../src/contract/number-format.ts';
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

/** How the numbers of a tile are written: what is said of its first query, or of the whole. */
export function numberFormatOf({ config, series }: Pick<Tile, 'config' | 'series'>): NumberFormat | undefined {
  const [item] = config && 'select' in config && Array.isArray(config.select) ? config.select : [];
  const ofItem = item && 'numberFormat' in item ? item.numberFormat : undefined;
  const ofConfig = config && 'numberFormat' in config ? config.numberFormat : undefined;
  const ofSeries = series?.find((one) => 'numberFormat' in one);
  return ofConfig ?? ofItem ?? (ofSeries && 'numberFormat' in ofSeries ? ofSeries.numberFormat : undefined);
}

/** Whether the axis of its chart begins at the values instead of at zero. */
export function fitsAxis({ config }: Pick<Tile, 'config'>): boolean {
  return config !== undefined && 'fitYAxisToData' in config && config.fitYAxisToData === true;
}

const alertable = new Set<DisplayType>(['line', 'stacked_bar', 'number']);

/** What makes the rows of a statement the windows of an alert. */
const interval = /\$__(?:timeInterval|timeInterval_ms|interval_s)\b|\{\s*interval(?:Seconds|Milliseconds)\s*:/;

/** Whether an alert can watch this tile; a statement over time needs buckets as wide as a window. */
export function isAlertable(tile: Pick<Tile, 'config' | 'series'>): boolean {
  const type = displayTypeOf(tile);
  if (!alertable.has(type)) return false;
  const { config } = tile;
  return type === 'number' || !config || !('sqlTemplate' in config) || interval.test(config.sqlTemplate);
}
