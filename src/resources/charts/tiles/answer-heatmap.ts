import type { NumberFormat } from '../../../contract/number-format.ts';
import type { TileInput } from '../../../contract/tile.ts';
import { isSqlConfig } from '../../../contract/tile-config.ts';
import { heatmapBucketsMax, type TileAnswer, type TileHeatmap } from '../../../contract/tile-query.ts';
import { formatDuration } from '../../../kernel/duration.ts';
import { explainReads } from '../answer/explain-reads.ts';
import type { HeatmapReader } from '../reading/heatmap-reader.ts';
import { placeBuckets, widenGranularity } from '../request/granularity.ts';
import type { HeatmapTile } from '../request/heatmap-tile.ts';
import type { TileFrame } from '../request/read-tiles-request.ts';

export interface HeatmapOptions extends TileFrame {
  /** What is known of the unit of its values. */
  format: NumberFormat | undefined;
  signal: AbortSignal;
}

/** Throws as `HeatmapReader.read` does. */
export async function answerHeatmap(
  reader: Pick<HeatmapReader, 'read'>,
  tenantId: string,
  tile: HeatmapTile,
  { range, granularityMs: wantedMs, timezone, conditions, explain, format, signal }: HeatmapOptions,
): Promise<Omit<TileAnswer, 'ref'>> {
  const granularityMs = widenGranularity(wantedMs, range, heatmapBucketsMax);
  const found = await reader.read(
    tenantId,
    { ...tile, range, ...placeBuckets(granularityMs, range, timezone), conditions },
    signal,
  );
  const { scale, edges, cells, statement, warnings, sourceName } = found;
  const { rowsRead, bytesRead, elapsedMs } = statement;
  const reads = [{ sourceName, seriesIndexes: [0], cache: 'off' as const, cachedBuckets: 0, statements: [statement] }];
  const amount = tile.count?.trim() ?? 'count()';
  const heatmap: TileHeatmap = { scale, edges, cells, amount, ...(format && { numberFormat: format }) };
  return {
    displayType: 'heatmap',
    granularity: formatDuration(granularityMs),
    granularityMs,
    heatmap,
    meta: {
      ...{ rowsRead, bytesRead, elapsedMs },
      ...({ cache: 'off', exact: true, truncated: false } as const),
      ...(warnings.length > 0 && { warnings }),
      ...(explain && { explain: explainReads(reads) }),
    },
  };
}

/** The format that the tile names for its values. */
export function formatOfHeatmap({ config }: TileInput): NumberFormat | undefined {
  return config && !isSqlConfig(config) && config.displayType === 'heatmap' ? config.numberFormat : undefined;
}
