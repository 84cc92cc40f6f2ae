import { describe, expect, it } from 'vitest';
import { randomIds } from '../../src/kernel/ids.ts';
import { FakeSavedSearchRepository } from '../../src/resources/saved-searches/fake-saved-search-repository.ts';
import { alertRowIds, insertAlertRow } from '../support/alert-rows.ts';
import { onBothStores } from '../support/metadata-stores.ts';
import { savedSearchOf, savedSearchRepositoryContract } from './saved-search-repository.contract.ts';

describe('the fake', () => {
  const fake = new FakeSavedSearchRepository();
  savedSearchRepositoryContract(() => fake);
});

onBothStores((underTest) => {
  savedSearchRepositoryContract(() => underTest().store.savedSearches);

  it('contract §8: removing a saved search removes its alerts and no others', async () => {
    const { store, raw } = underTest();
    const tenantId = randomIds.hex24();
    const [gone, kept] = [savedSearchOf(), savedSearchOf()];
    for (const each of [gone, kept]) await store.savedSearches.insert(tenantId, each);
    const alertOfGone = await insertAlertRow(raw, { tenantId, savedSearchId: gone.id });
    const alertOfKept = await insertAlertRow(raw, { tenantId, savedSearchId: kept.id });
    // A stranger's attempt takes nothing along.
    expect(await store.savedSearches.remove(randomIds.hex24(), gone.id)).toBeUndefined();
    expect(await alertRowIds(raw, tenantId)).toEqual([alertOfGone, alertOfKept]);
    expect(await store.savedSearches.remove(tenantId, gone.id)).toEqual({ deletedAlerts: [alertOfGone] });
    expect(await alertRowIds(raw, tenantId)).toEqual([alertOfKept]);
  });

  it('an alert points to a saved search that exists or is not written', async () => {
    const tenantId = randomIds.hex24();
    const orphan = { tenantId, savedSearchId: randomIds.hex24() };
    await expect(insertAlertRow(underTest().raw, orphan)).rejects.toThrow();
  });
});
