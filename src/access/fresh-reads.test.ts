import { describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../kernel/store-unavailable-error.ts';
import { FreshReads } from './fresh-reads.ts';

/** A store whose reads end when the test says so; each answers with its number. */
function slowStore() {
  const waiting: { resolve: (value: number) => void; reject: (error: Error) => void }[] = [];
  const load = (): Promise<number> => new Promise((resolve, reject) => waiting.push({ resolve, reject }));
  return { waiting, load, finish: (index: number) => waiting[index]?.resolve(index) };
}

describe('fresh reads', () => {
  it('a call during a read gets the next one, shared with other calls meanwhile', async () => {
    const reads = new FreshReads<number>();
    const store = slowStore();
    const first = reads.read('key', store.load);
    const late = [reads.read('key', store.load), reads.read('key', store.load)];
    expect(store.waiting).toHaveLength(1);
    store.finish(0);
    expect(await first).toBe(0);
    await expect.poll(() => store.waiting.length).toBe(2);
    store.finish(1);
    expect(await Promise.all(late)).toEqual([1, 1]);
  });

  it('nothing is remembered: asking again reads again', async () => {
    const reads = new FreshReads<number>();
    let count = 0;
    const load = async (): Promise<number> => ++count;
    expect([await reads.read('key', load), await reads.read('key', load)]).toEqual([1, 2]);
  });

  it('a read that fails fails only for those who shared it', async () => {
    const reads = new FreshReads<number>();
    const store = slowStore();
    const first = reads.read('key', store.load);
    const second = reads.read('key', store.load);
    store.waiting[0]?.reject(new Error('store is down'));
    await expect(first).rejects.toThrow('store is down');
    await expect.poll(() => store.waiting.length).toBe(2);
    store.finish(1);
    expect(await second).toBe(1);
  });

  it('a store that is silent is waited for once, also by those who asked meanwhile', async () => {
    const reads = new FreshReads<number>();
    const store = slowStore();
    const asked = [reads.read('key', store.load), reads.read('key', store.load)];
    store.waiting[0]?.reject(new StoreUnavailableError('metadata', 'silent'));
    expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(store.waiting).toHaveLength(1);
    const later = reads.read('key', store.load);
    store.finish(1);
    expect(await later).toBe(1);
  });

  it('reads of different names do not wait for each other', async () => {
    const reads = new FreshReads<number>();
    const store = slowStore();
    const one = reads.read('one', store.load);
    const two = reads.read('two', store.load);
    store.finish(1);
    expect(await two).toBe(1);
    store.finish(0);
    expect(await one).toBe(0);
  });
});
