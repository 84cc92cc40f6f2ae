import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AlertRecord } from '../../../../src/contract/alert.ts';
import type { AlertEvaluationRecord } from '../../../../src/contract/alert-log.ts';
import type { ShadedPeriod, Threshold } from '../../charts/chart-series.ts';
import { alertsQuery, historyPageQuery, logPageSize } from '../alerts/alert-queries.ts';
import { stateRuns } from '../alerts/state-runs.ts';
import { historyPages } from './history-pages.ts';

/** What a tile shows of the alerts that watch it. */
export interface TileAlerts {
  firing: boolean;
  thresholds: Threshold[];
  periods: ShadedPeriod[];
}

/** Beside charts the alerts may be as old as their windows are short. */
const refreshMs = 30_000;

/** Thresholds by tile id, and the periods since `startMs` in which they fired, of the alerts on this dashboard. */
export function useTileAlerts(dashboardId: string, startMs: number): ReadonlyMap<string, TileAlerts> {
  const alerts = useQuery({ ...alertsQuery, refetchInterval: refreshMs });
  const own = useMemo(
    () => (alerts.data ?? []).filter((alert) => alert.dashboardId === dashboardId && alert.enabled !== false),
    [alerts.data, dashboardId],
  );
  const pages = own.flatMap(({ id, interval }) =>
    historyPages(interval, Date.now() - startMs, logPageSize).map((page) => ({ id, page })),
  );
  const read = useQueries({
    queries: pages.map(({ id, page }) => ({ ...historyPageQuery(id, page), refetchInterval: refreshMs })),
    combine: (results) => results.map(({ data }, at) => ({ id: pages[at]?.id, entries: data?.entries ?? [] })),
  });
  return useMemo(() => {
    const historyOf = (alertId: string) => read.flatMap(({ id, entries }) => (id === alertId ? entries : []));
    return byTile(
      own,
      own.map(({ id }) => historyOf(id)),
    );
  }, [own, read]);
}

function byTile(
  alerts: readonly AlertRecord[],
  histories: readonly AlertEvaluationRecord[][],
): Map<string, TileAlerts> {
  const found = new Map<string, TileAlerts>();
  alerts.forEach((alert, index) => {
    if (!alert.tileId) return;
    const tile = found.get(alert.tileId) ?? { firing: false, thresholds: [], periods: [] };
    tile.firing ||= alert.state === 'ALERT';
    tile.thresholds.push(...thresholdsOf(alert));
    tile.periods.push(...firingPeriods(histories[index] ?? [], alert.name ?? 'Alert'));
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
