import { groupedBy } from '../kernel/grouped-by.ts';
import { watchedOf } from '../resources/alerts/alert.ts';
import type { LeasedAlert } from './lease.ts';

/** Alerts that evaluate the same windows of the same thing: one reading serves them all. In the order of their first ones. */
export function groupAlike(alerts: readonly LeasedAlert[]): LeasedAlert[][] {
  const windowsOf = ({ tenantId, alert, nextWindowEndMs, state }: LeasedAlert): string =>
    JSON.stringify([tenantId, watchedOf(alert), alert.interval, nextWindowEndMs, state.clockSetBack]);
  return [...groupedBy(alerts, windowsOf).values()];
}
