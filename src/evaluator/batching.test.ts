import { describe, expect, it } from 'vitest';
import { alertOf, evaluationOf, newYearMs } from '../../test/support/alert-fixtures.ts';
import { FakeAlertStore } from '../../test/support/fake-alert-store.ts';
import { batchNames, batchReads, batchReleases, batchWrites } from './batching.ts';
import type { LeasedAlert } from './lease.ts';

const tenantId = 'tenant';

async function leasedAlerts(store: FakeAlertStore, count: number): Promise<LeasedAlert[]> {
  for (let made = 0; made < count; made++) {
    await store.transaction((inside) => inside.insert(tenantId, alertOf(), newYearMs));
  }
  const [nowMs, leaseUntilMs] = [newYearMs, newYearMs + 60_000];
  return store.claimDue({ owner: 'e1', nowMs, dueBeforeMs: nowMs, leaseUntilMs, max: count });
}

describe('what many alerts do at the same time', () => {
  it('decisions A8: evaluations are written together', async () => {
    const store = new FakeAlertStore();
    const leased = await leasedAlerts(store, 20);
    const sizes: number[] = [];
    const { commitAll } = store;
    store.commitAll = (evaluations) => {
      sizes.push(evaluations.length);
      return commitAll.call(store, evaluations);
    };
    const together = batchWrites(store);
    const [first, ...others] = leased.map((each) => evaluationOf(each));
    if (!first) throw new Error('nothing was due');
    const lists = [[first], others.slice(0, 7), [], others.slice(7)];
    const written = await Promise.all(lists.map((list) => together.commit(list)));
    expect(sizes).toEqual([20]);
    expect(written).toEqual(lists.map((list) => list.map(() => ({ status: 'fulfilled', value: 'committed' }))));
  });

  it('one that can’t be written does not keep the others from it', async () => {
    const store = new FakeAlertStore();
    const leased = await leasedAlerts(store, 3);
    const bad = leased[1]?.alert.id;
    const { commit } = store;
    store.commit = async (evaluation) => {
      if (evaluation.alertId === bad) throw new Error('refused by the store');
      return commit.call(store, evaluation);
    };
    const together = batchWrites(store);
    const evaluations = leased.map((each) => evaluationOf(each));
    const lists = await Promise.all([together.commit(evaluations.slice(0, 2)), together.commit(evaluations.slice(2))]);
    const outcomes = lists.flat();
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const histories = await Promise.all(leased.map(({ alert }) => store.listHistory(tenantId, alert.id, 10)));
    expect(histories.map(({ length }) => length)).toEqual([1, 0, 1]);
  });

  it('leases are given back together, those of each owner only', async () => {
    const store = new FakeAlertStore();
    const leased = await leasedAlerts(store, 3);
    const leases = batchReleases(store);
    await Promise.all(
      leased.map(({ alert }, index) => leases.release(index === 0 ? 'someone else' : 'e1', tenantId, alert.id)),
    );
    const again = { owner: 'e2', nowMs: newYearMs, dueBeforeMs: newYearMs, leaseUntilMs: newYearMs + 1, max: 10 };
    expect((await store.claimDue(again)).map(({ alert }) => alert.id)).toEqual(
      leased.slice(1).map(({ alert }) => alert.id),
    );
  });

  it('a read that hangs holds up no other, and names are looked up once', async () => {
    const reader = batchReads({
      readTiles: (requests) =>
        requests.map(({ tenantId: of }) =>
          of === 'hangs' ? new Promise(() => {}) : Promise.resolve({ kind: 'error', type: 'QUERY_ERROR', message: of }),
        ),
    });
    const watched = { kind: 'tile', dashboardId: 'd', tileId: 't' } as const;
    const window = { startMs: 0, endMs: 1 };
    void reader.read({ tenantId: 'hangs', watched, window });
    expect(await reader.read({ tenantId: 'fine', watched, window })).toMatchObject({ message: 'fine' });
    let lookups = 0;
    const names = batchNames({
      find: async (of) => {
        lookups += 1;
        return { tile: of };
      },
    });
    const asked = ['a', 'a', 'b', 'a'].map((of) => names.find(of, watched));
    expect((await Promise.all(asked)).map(({ tile }) => tile)).toEqual(['a', 'a', 'b', 'a']);
    expect(lookups).toBe(2);
  });
});
