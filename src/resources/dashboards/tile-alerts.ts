import type { Tile } from '../../contract/tile.ts';
import { isOverTime } from '../../contract/time-display.ts';
import { sqlTileOf, unwatchableSql } from '../charts/request/sql-tile.ts';
import { tileToChart } from '../charts/request/tile-to-chart.ts';
import type { Dashboard } from './dashboard.ts';

/** True when an alert can watch the tile: a time series or one number that we work out ourselves (contract §2.7). */
export function isAlertable(tile: Tile): boolean {
  const sql = sqlTileOf(tile);
  if (sql) return unwatchableSql(sql) === undefined;
  return isTimeOrNumber(tile) && tileToChart(tile).kind === 'chart';
}

/** Whether it shows lines, stacked bars or a number, in whatever form. */
export function isTimeOrNumber({ config, series }: Tile): boolean {
  if (config) return isOverTime(config.displayType) || config.displayType === 'number';
  const first = series?.[0];
  return first !== undefined && ['time', 'number'].includes(first.type ?? 'time');
}

/** Tiles whose alerts end with this change: removed ones, and those that turned into a kind no alert can watch. */
export function tilesLosingAlerts(before: Dashboard, after: Dashboard): string[] {
  const remaining = new Map(after.tiles.map((tile) => [tile.id, tile]));
  return before.tiles
    .filter((tile) => {
      const next = remaining.get(tile.id);
      return !next || (isAlertable(tile) && !isAlertable(next));
    })
    .map((tile) => tile.id);
}
