import type { NumberFormat } from '../../../../src/contract/number-format.ts';
import type { Tile } from '../../../../src/contract/tile.ts';
import { isOverTime, type LineInterpolation } from '../../../../src/contract/time-display.ts';

export type DisplayType =
  | 'line'
  | 'stacked_bar'
  | 'stacked_line'
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

/** How the lines of its chart are drawn, as far as the tile says. */
export interface LineLook {
  /** The axis begins at the values instead of at zero. */
  fitY?: boolean;
  interpolation?: LineInterpolation;
}

export function lineLookOf({ config }: Pick<Tile, 'config'>): LineLook {
  if (!config) return {};
  const interpolation = 'lineInterpolation' in config ? config.lineInterpolation : undefined;
  return {
    fitY: 'fitYAxisToData' in config && config.fitYAxisToData === true,
    ...(interpolation && { interpolation }),
  };
}

/** What makes the rows of a statement the windows of an alert. */
const interval = /\$__(?:timeInterval|timeInterval_ms|interval_s)\b|\{\s*interval(?:Seconds|Milliseconds)\s*:/;

/** Whether an alert can watch this tile; a statement over time needs buckets as wide as a window. */
export function isAlertable(tile: Pick<Tile, 'config' | 'series'>): boolean {
  const type = displayTypeOf(tile);
  if (!isOverTime(type) && type !== 'number') return false;
  const { config } = tile;
  return type === 'number' || !config || !('sqlTemplate' in config) || interval.test(config.sqlTemplate);
}
