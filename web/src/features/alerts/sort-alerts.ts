import type { AlertRecord } from '../../../../src/contract/alert.ts';

type Sorted = Pick<AlertRecord, 'state' | 'firingSince' | 'acknowledged'>;

const stateOrder: readonly AlertRecord['state'][] = ['ALERT', 'PENDING', 'INSUFFICIENT_DATA', 'OK', 'DISABLED'];

/** What needs a person first: firing without an owner, then other firing ones, the newest first; then by state. */
export function sortAlerts<T extends Sorted>(alerts: readonly T[]): T[] {
  return alerts.toSorted((a, b) => rank(a) - rank(b) || since(b) - since(a));
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
