import { type DashboardFilter, type DashboardFilterInput, filterKeys } from '../../contract/dashboard-filter.ts';
import { pick } from './pick.ts';

/** The filters after a write: known ids stay, others are made; an item is replaced whole (contract §2.4). */
export function reconcileFilters(
  stored: readonly DashboardFilter[],
  sent: readonly DashboardFilterInput[],
  newId: () => string,
): DashboardFilter[] {
  const known = new Set(stored.map((filter) => filter.id));
  return sent.map((filter) => {
    const id = filter.id !== undefined && known.has(filter.id) ? filter.id : newId();
    return { ...pick(filter, filterKeys), id };
  });
}
