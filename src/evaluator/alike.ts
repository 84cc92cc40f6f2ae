import { watchedOf } from '../resources/alerts/alert.ts';
import type { LeasedAlert } from './lease.ts';

/** Alerts that evaluate the same windows of the same thing: one reading serves them all. In the order of their first ones. */
export function groupAlike(alerts: readonly LeasedAlert[]): LeasedAlert[][] {
  const groups = new Map<string, LeasedAlert[]>();
  for (const leased of alerts) {
    const { tenantId, alert, nextWindowEndMs, state } = leased;
    const key = JSON.stringify([tenantId, watchedOf(alert), alert.interval, nextWindowEndMs, state.clockSetBack]);
    const group = groups.get(key);
    if (group) group.push(leased);
    else groups.set(key, [leased]);
  }
  return [...groups.values()];
}
