import { expect, it } from 'vitest';
import { randomIds } from '../../src/kernel/ids.ts';
import type { SavedSearch, SavedSearchRepository } from '../../src/resources/saved-searches/saved-search-repository.ts';
import { awkwardTexts } from '../support/awkward-texts.ts';

export function savedSearchOf(parts: Partial<SavedSearch> = {}): SavedSearch {
  return {
    id: randomIds.hex24(),
    name: 'Errors of the shop',
    sourceId: randomIds.hex24(),
    select: '',
    where: 'SeverityText:error',
    whereLanguage: 'lucene',
    orderBy: '',
    tags: ['shop'],
    filters: [{ type: 'sql', condition: "ServiceName IN ('shop')" }],
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    ...parts,
  };
}

const wholeList = { limit: 1_000, offset: 0 };

/** What every store of saved searches does. Each case has its own tenants, so one store serves all of them. */
export function savedSearchRepositoryContract(repository: () => SavedSearchRepository): void {
  it('documents come back as they were written, replaced as a whole, removed once', async () => {
    const tenantId = randomIds.hex24();
    const written = savedSearchOf();
    await repository().insert(tenantId, written);
    expect(await repository().find(tenantId, written.id)).toEqual(written);
    const replacement = savedSearchOf({ id: written.id, tags: [], filters: [] });
    expect(await repository().replace(tenantId, replacement)).toBe(true);
    expect(await repository().find(tenantId, written.id)).toEqual(replacement);
    expect(await repository().remove(tenantId, written.id)).toEqual({ deletedAlerts: [] });
    expect(await repository().remove(tenantId, written.id)).toBeUndefined();
    expect(await repository().replace(tenantId, replacement)).toBe(false);
    expect(await repository().find(tenantId, written.id)).toBeUndefined();
  });

  it.each(awkwardTexts)('keeps awkward text: $title', async ({ text }) => {
    const tenantId = randomIds.hex24();
    const written = savedSearchOf({ name: text, where: text, tags: [text] });
    await repository().insert(tenantId, written);
    expect(await repository().find(tenantId, written.id)).toEqual(written);
  });

  it('lists pages in order of creation, with the number of all', async () => {
    const tenantId = randomIds.hex24();
    const all = ['f', '0', '8'].map((digit) => savedSearchOf({ id: digit + randomIds.hex24().slice(1) }));
    for (const each of all) await repository().insert(tenantId, each);
    expect(await repository().list(tenantId, wholeList)).toEqual({ savedSearches: all, total: 3 });
    const second = { savedSearches: all.slice(1, 2), total: 3 };
    expect(await repository().list(tenantId, { limit: 1, offset: 1 })).toEqual(second);
  });

  it('decisions F2: another tenant finds, lists, replaces and removes nothing', async () => {
    const [owner, stranger] = [randomIds.hex24(), randomIds.hex24()];
    const written = savedSearchOf();
    await repository().insert(owner, written);
    expect(await repository().find(stranger, written.id)).toBeUndefined();
    expect(await repository().list(stranger, wholeList)).toEqual({ savedSearches: [], total: 0 });
    expect(await repository().replace(stranger, savedSearchOf({ id: written.id }))).toBe(false);
    expect(await repository().remove(stranger, written.id)).toBeUndefined();
    expect(await repository().find(owner, written.id)).toEqual(written);
  });
}
