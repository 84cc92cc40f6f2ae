import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AlertRecord } from '../../../../src/contract/alert.ts';
import type { AlertEvaluationRecord } from '../../../../src/contract/alert-log.ts';
import type { ShadedPeriod, Threshold } from '../../charts/chart-series.ts';
import { alertsQuery, historyQuery } from '../alerts/alert-queries.ts';

/** What a tile shows of the alerts that watch it. */
export interface TileAlerts {
  firing: boolean;
  thresholds: Threshold[];
  periods: ShadedPeriod[];
}

/** As many windows as the API gives at once. */
const historyMax = 100;
/** Beside charts the alerts may be as old as their windows are short. */
const refreshMs = 30_000;

/** Thresholds and firing periods by tile id, of the alerts on this dashboard. */
export function useTileAlerts(dashboardId: string): ReadonlyMap<string, TileAlerts> {
  const alerts = useQuery({ ...alertsQuery, refetchInterval: refreshMs });
  const own = useMemo(
    () => (alerts.data ?? []).filter((alert) => alert.dashboardId === dashboardId && alert.enabled !== false),
    [alerts.data, dashboardId],
  );
  const histories = useQueries({
    queries: own.map(({ id }) => ({ ...historyQuery(id, historyMax), refetchInterval: refreshMs })),
    combine: (results) => results.map(({ data }) => data),
  });
  return useMemo(() => byTile(own, histories), [own, histories]);
}

function byTile(
  alerts: readonly AlertRecord[],
  histories: readonly (AlertEvaluationRecord[] | undefined)[],
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

/** Stretches of windows in state ALERT, joined where they touch. Newest first in, oldest first out. */
function firingPeriods(history: readonly AlertEvaluationRecord[], label: string): ShadedPeriod[] {
  const periods: ShadedPeriod[] = [];
  for (const { state, windowStart, windowEnd } of [...history].reverse()) {
    if (state !== 'ALERT') continue;
    const [startMs, endMs] = [Date.parse(windowStart), Date.parse(windowEnd)];
    const last = periods.at(-1);
    if (last && last.endMs >= startMs) last.endMs = Math.max(last.endMs, endMs);
    else periods.push({ startMs, endMs, label });
  }
  return periods;
}
