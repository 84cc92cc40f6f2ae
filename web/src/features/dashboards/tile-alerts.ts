import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AlertRecord } from '../../../../src/contract/alert.ts';
import type { AlertEvaluationRecord } from '../../../../src/contract/alert-log.ts';
import type { ShadedPeriod, Threshold } from '../../charts/chart-series.ts';
import { alertsQuery, historyOfRangeQuery } from '../alerts/alert-queries.ts';
import type { HistoryOfRange } from '../alerts/read-history.ts';
import { stateRuns } from '../alerts/state-runs.ts';
import type { ResolvedRange } from '../time-range/time-range.ts';

/** What a tile shows of the alerts that watch it. */
export interface TileAlerts {
  firing: boolean;
  thresholds: Threshold[];
  periods: ShadedPeriod[];
  /** From when on the periods are there, where the range has more windows than are read. */
  cutAtMs: number | undefined;
}

/** Beside charts the alerts may be as old as their windows are short. */
const refreshMs = 30_000;

/** Thresholds by tile id, and the periods of the range in which they fired, of the alerts on this dashboard. */
export function useTileAlerts(dashboardId: string, range: ResolvedRange): ReadonlyMap<string, TileAlerts> {
  const alerts = useQuery({ ...alertsQuery, refetchInterval: refreshMs });
  const own = useMemo(
    () => (alerts.data ?? []).filter((alert) => alert.dashboardId === dashboardId && alert.enabled !== false),
    [alerts.data, dashboardId],
  );
  const histories = useQueries({
    queries: own.map((alert) => historyOfRangeQuery(alert, range)),
    combine: (results) => results.map(({ data }) => data),
  });
  return useMemo(() => byTile(own, histories), [own, histories]);
}

function byTile(
  alerts: readonly AlertRecord[],
  histories: readonly (HistoryOfRange<AlertEvaluationRecord> | undefined)[],
): Map<string, TileAlerts> {
  const found = new Map<string, TileAlerts>();
  alerts.forEach((alert, index) => {
    if (!alert.tileId) return;
    const tile = found.get(alert.tileId) ?? { firing: false, thresholds: [], periods: [], cutAtMs: undefined };
    tile.firing ||= alert.state === 'ALERT';
    tile.thresholds.push(...thresholdsOf(alert));
    const { entries = [], cutAtMs } = histories[index] ?? {};
    tile.periods.push(...firingPeriods(entries, alert.name ?? 'Alert'));
    if (cutAtMs !== undefined) tile.cutAtMs = Math.max(cutAtMs, tile.cutAtMs ?? 0);
    found.set(alert.tileId, tile);
  });
  return found;
}

function thresholdsOf({ threshold, thresholdMax, name }: AlertRecord): Threshold[] {
  const label = name ?? 'Threshold';
  const lower = { value: threshold, label };
  return typeof thresholdMax === 'number' ? [lower, { value: thresholdMax, label }] : [lower];
}

function firingPeriods(history: readonly AlertEvaluationRecord[], label: string): ShadedPeriod[] {
  const windows = history.map(({ state, windowStart, windowEnd }) => ({
    ...{ state, label },
    startMs: Date.parse(windowStart),
    endMs: Date.parse(windowEnd),
  }));
  return stateRuns(windows).filter(({ state }) => state === 'ALERT');
}
