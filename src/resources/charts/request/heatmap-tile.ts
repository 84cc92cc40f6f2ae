import type { TileInput } from '../../../contract/tile.ts';
import { isSqlConfig } from '../../../contract/tile-config.ts';
import type { HeatmapQuery } from '../../../query/heatmap-query.ts';

/** What a heatmap tile asks of its source, whatever the range. */
export interface HeatmapTile extends Pick<HeatmapQuery, 'value' | 'count' | 'scale' | 'where' | 'whereLanguage'> {
  sourceId: string;
}

/** Where the texts of a heatmap are in its tile, by their paths in its query. */
export const heatmapPaths: Readonly<Record<string, string>> = {
  value: 'config.select.0.valueExpression',
  count: 'config.select.0.countExpression',
  where: 'config.where',
};

/** `undefined` for any other tile. */
export function heatmapOfTile({ config }: TileInput): HeatmapTile | undefined {
  if (!config || isSqlConfig(config) || config.displayType !== 'heatmap') return undefined;
  const { sourceId, select, where = '', whereLanguage = 'lucene' } = config;
  const [item] = select;
  if (!item) return undefined;
  const { valueExpression, countExpression, heatmapScaleType } = item;
  return {
    sourceId,
    value: valueExpression,
    ...(countExpression?.trim() && { count: countExpression }),
    ...(heatmapScaleType && { scale: heatmapScaleType }),
    where,
    whereLanguage,
  };
}
