import type { AlertTrendRecord } from '../../contract/alert-trend.ts';
import { decidingGroup } from '../../contract/deciding-group.ts';
import type { Alert } from './alert.ts';
import type { AlertTrend, EvaluatedGroup, EvaluatedWindow } from './alert-log.ts';
import { timestamp } from './present-alert-log.ts';

export function presentTrend({ alert, windows, notifications }: AlertTrend): AlertTrendRecord {
  const newest = windows.at(-1);
  return {
    id: alert.id,
    windows: windows.map((window) => ({
      windowStart: timestamp(window.windowStartMs),
      windowEnd: timestamp(window.windowEndMs),
      value: deciding(window, alert)?.value ?? null,
      state: window.status,
    })),
    ...(newest && { last: presentLast(newest, alert) }),
    notifications: notifications.map(({ lastAttemptMs, ...sent }) => ({
      ...sent,
      ...(lastAttemptMs !== undefined && { lastAttemptAt: timestamp(lastAttemptMs) }),
    })),
  };
}

function presentLast(window: EvaluatedWindow, alert: Alert): NonNullable<AlertTrendRecord['last']> {
  const { group = [], value = null } = deciding(window, alert) ?? {};
  const suppressed = suppressedOf(window.groups);
  return { group: [...group], value, ...(suppressed && { suppressed }) };
}

function deciding({ groups, status }: EvaluatedWindow, alert: Alert) {
  const evaluated = groups.map(({ group, value, status: state }) => ({ group, value, state }));
  return decidingGroup({ groups: evaluated, state: status }, alert);
}

/** A window that sent something is not suppressed, whatever else it left out. */
function suppressedOf(groups: readonly EvaluatedGroup[]) {
  if (groups.some(({ notified }) => notified)) return undefined;
  const found = new Set(groups.map(({ suppressed }) => suppressed));
  return (['silenced', 'acknowledged'] as const).find((reason) => found.has(reason));
}
