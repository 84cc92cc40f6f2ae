import type { Operation } from '../../../http/operation.ts';
import type { ChartService } from '../answer/chart-service.ts';
import type { TileService } from '../tiles/tile-service.ts';
import { queryChartSeries } from './query-chart-series.ts';
import { queryTiles } from './query-tiles.ts';

/** Every operation on charts. */
export function chartOperations(charts: ChartService, tiles: TileService): Operation[] {
  return [queryChartSeries(charts), queryTiles(tiles)];
}
