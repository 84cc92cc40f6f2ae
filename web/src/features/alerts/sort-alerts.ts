import type { AlertRecord } from '../../../../src/contract/alert.ts';

type Sorted = Pick<AlertRecord, 'state' | 'firingSince' | 'acknowledged'>;

/** By state: what needs a person first. By time: what has fired for longest first. */
export const alertOrders = ['state', 'since', 'name'] as const;
export type AlertOrder = (typeof alertOrders)[number];

export const stateOrder: readonly AlertRecord['state'][] = ['ALERT', 'PENDING', 'INSUFFICIENT_DATA', 'OK', 'DISABLED'];

/** What needs a person first: firing without an owner, then other firing ones, the newest first; then by state. */
export function sortAlerts<T extends Sorted>(alerts: readonly T[]): T[] {
  return alerts.toSorted((a, b) => rank(a) - rank(b) || since(b) - since(a));
}

/** The others behind those that fire stay as they are. */
export function longestFirst<T extends Sorted>(alerts: readonly T[]): T[] {
  const begin = (alert: T) => (alert.state === 'ALERT' && alert.firingSince ? since(alert) : Number.POSITIVE_INFINITY);
  return alerts.toSorted((a, b) => (begin(a) === begin(b) ? 0 : begin(a) - begin(b)));
}

/** As people sort names: `Queue 9` before `queue 10`. */
export function byName<T>(alerts: readonly T[], nameOf: (alert: T) => string): T[] {
  return alerts.toSorted((a, b) => nameOf(a).localeCompare(nameOf(b), 'en', { numeric: true, sensitivity: 'base' }));
}

function rank({ state, acknowledged }: Sorted): number {
  return stateOrder.indexOf(state) * 2 + (acknowledged ? 1 : 0);
}

function since({ firingSince }: Sorted): number {
  return firingSince === undefined ? 0 : Date.parse(firingSince);
}

/** Firing, and not acknowledged by anyone. */
export function needsOwner({ state, acknowledged }: Sorted): boolean {
  return state === 'ALERT' && !acknowledged;
}
