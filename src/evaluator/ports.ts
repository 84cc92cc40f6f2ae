import type { TimeRange } from '../query/chart-query.ts';

/** One window's answer for one group. `undefined` group = the tile does not group. */
export interface Sample {
  /** Group values in the order of the tile's `groupBy`, with the expression that made each. */
  group: readonly { key: string; value: string }[];
  /** null when the engine has no number (a ratio with denominator 0). */
  value: number | null;
}

export type Reading =
  | {
      kind: 'samples';
      samples: readonly Sample[];
      /** Missing data counts as 0: count, count_distinct and sum (decisions A6). */
      missingIsZero: boolean;
      grouped: boolean;
    }
  | { kind: 'error'; type: 'QUERY_ERROR' | 'QUERY_TIMEOUT' | 'INVALID_ALERT'; message: string };

/** Port: what a tile shows over one window, through the same compiler as the chart (decisions A6, journey D). */
export interface TileReader {
  read(request: {
    tenantId: string;
    dashboardId: string;
    tileId: string;
    window: TimeRange;
    signal?: AbortSignal;
  }): Promise<Reading>;
}
