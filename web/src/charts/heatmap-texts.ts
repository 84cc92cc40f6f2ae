import type { TileHeatmap } from '../../../src/contract/tile-query.ts';
import { dateText, instantText } from '../ui/instant-text.ts';
import { formatValue } from './format-value.ts';
import { boundsOf, type HeatmapGrid, type Region, type RegionBounds, totalOf } from './heatmap-grid.ts';

/** `10 ms to 20 ms`; on a logarithmic scale the lowest row may hold zeros alone. */
export function valuesText(
  { low, high }: Pick<RegionBounds, 'low' | 'high'>,
  numberFormat: TileHeatmap['numberFormat'],
): string {
  return `${formatValue(low, numberFormat)} to ${formatValue(high, numberFormat)}`;
}

/** `2026-11-28 12:05 to 12:06` */
export function timesText({ startMs, endMs }: Pick<RegionBounds, 'startMs' | 'endMs'>): string {
  const isSameDay = dateText(startMs) === dateText(endMs);
  return `${instantText(startMs)} to ${isSameDay ? instantText(endMs).slice('2026-11-28 '.length) : instantText(endMs)}`;
}

/** What is said of some cells: their times, values and amount. */
export function regionLines(
  grid: HeatmapGrid,
  region: Region,
  { amount, numberFormat }: Pick<TileHeatmap, 'amount' | 'numberFormat'>,
): string[] {
  const bounds = boundsOf(grid, region);
  const lines = [timesText(bounds), valuesText(bounds, numberFormat)];
  const isOne = region.columns[0] === region.columns[1] && region.rows[0] === region.rows[1];
  const total = totalOf(grid, region);
  // Other aggregates than counts and sums do not add up.
  const addsUp = /^(count|sum)\(/i.test(amount);
  if (amount === 'count()') return [...lines, total === 1 ? '1 event' : `${formatValue(total)} events`];
  return isOne || addsUp ? [...lines, `${amount}: ${formatValue(total)}`] : lines;
}
