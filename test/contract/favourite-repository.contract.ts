import { beforeEach, describe, expect, it } from 'vitest';
import { randomIds } from '../../src/kernel/ids.ts';
import type { DashboardRepository } from '../../src/resources/dashboards/dashboard-repository.ts';
import { type FavouriteRepository, favouritesMax } from '../../src/resources/dashboards/favourite-repository.ts';

export interface FavouritesUnderTest {
  favourites: FavouriteRepository;
  dashboards: DashboardRepository;
  /** Answers the id of a new user. */
  addUser(tenantId: string): Promise<string>;
}

/** What every store of favourites does. */
export function favouriteRepositoryContract(underTest: () => FavouritesUnderTest): void {
  let owner: { tenantId: string; userId: string };

  beforeEach(async () => {
    const tenantId = randomIds.hex24();
    owner = { tenantId, userId: await underTest().addUser(tenantId) };
  });

  const change = { atMs: 0, by: 'u', summary: 'Created' };

  async function boards(count: number): Promise<string[]> {
    const ids = Array.from({ length: count }, () => randomIds.hex24());
    await underTest().dashboards.transaction(async (inside) => {
      for (const id of ids) await inside.insert(owner.tenantId, { id, name: 'd', tags: [], tiles: [] }, change);
    });
    return ids;
  }

  async function board(tenantId = owner.tenantId): Promise<string> {
    const id = randomIds.hex24();
    await underTest().dashboards.transaction((inside) =>
      inside.insert(tenantId, { id, name: 'd', tags: [], tiles: [] }, change),
    );
    return id;
  }

  describe('favourites', () => {
    it('are added and removed, any number of times', async () => {
      const { favourites } = underTest();
      const [one, two] = [await board(), await board()];
      for (const id of [one, two, one]) expect(await favourites.add(owner, id)).toBe('added');
      expect((await favourites.list(owner)).toSorted()).toEqual([one, two].toSorted());
      for (const id of [one, one]) await favourites.remove(owner, id);
      expect(await favourites.list(owner)).toEqual([two]);
    });

    it('are those of one person in one tenant', async () => {
      const { favourites, addUser } = underTest();
      const id = await board();
      await favourites.add(owner, id);
      const colleague = { tenantId: owner.tenantId, userId: await addUser(owner.tenantId) };
      expect(await favourites.list(colleague)).toEqual([]);
      const elsewhere = { tenantId: randomIds.hex24(), userId: owner.userId };
      expect(await favourites.list(elsewhere)).toEqual([]);
      expect(await favourites.add(elsewhere, id)).toBe('missing');
      await favourites.remove(colleague, id);
      expect(await favourites.list(owner)).toEqual([id]);
    });

    it('a dashboard that does not exist can’t be one; one that is deleted and restored is one again', async () => {
      const { favourites, dashboards } = underTest();
      expect(await favourites.add(owner, randomIds.hex24())).toBe('missing');
      const id = await board();
      await favourites.add(owner, id);
      await dashboards.transaction((inside) => inside.remove(owner.tenantId, id, { atMs: 0, by: 'u' }));
      expect(await favourites.list(owner)).toEqual([]);
      await dashboards.transaction((inside) => inside.undelete(owner.tenantId, id, 0));
      expect(await favourites.list(owner)).toEqual([id]);
    });

    it(`are ${favouritesMax} at most, also of many added at the same time`, async () => {
      const { favourites } = underTest();
      for (const id of await boards(favouritesMax - 2)) await favourites.add(owner, id);
      const more = [await board(), await board(), await board(), await board()];
      const outcomes = await Promise.all(more.map((id) => favourites.add(owner, id)));
      expect(outcomes.toSorted()).toEqual(['added', 'added', 'tooMany', 'tooMany']);
      expect(await favourites.list(owner)).toHaveLength(favouritesMax);
    });
  });
}
