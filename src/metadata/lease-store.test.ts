import { describe, expect, it } from 'vitest';
import { alertOf, minuteMs, newYearMs } from '../../test/support/alert-fixtures.ts';
import { onBothStores } from '../../test/support/metadata-stores.ts';
import { SqlAlertLeases } from './lease-store.ts';
import { CommittingDatabase } from './metadata-database.ts';

const claim = { owner: 'e1', nowMs: newYearMs, dueBeforeMs: newYearMs, leaseUntilMs: newYearMs + minuteMs };

onBothStores((underTest) => {
  describe('alerts that are more than one transaction takes', () => {
    it('are claimed all the same, in the order in which they are due, as many as requested', async () => {
      const { store, raw } = underTest();
      // The later made, the earlier due.
      const alerts = Array.from({ length: 8 }, () => alertOf());
      await store.alerts.transaction(async (inside) => {
        for (const [index, alert] of alerts.entries()) await inside.insert('tenant', alert, newYearMs - index);
      });
      const leases = new SqlAlertLeases(new CommittingDatabase(raw), 3);
      const first = await leases.claimDue({ ...claim, max: 7 });
      const rest = await leases.claimDue({ ...claim, max: 7 });
      const ids = [...first, ...rest].map(({ alert }) => alert.id);
      expect(ids).toEqual(alerts.map(({ id }) => id).toReversed());
      expect(first).toHaveLength(7);
    });
  });
});
