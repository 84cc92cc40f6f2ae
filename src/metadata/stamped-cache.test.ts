import { expect, it } from 'vitest';
import { StampedCache } from './stamped-cache.ts';

function setUp(entriesMax = 10) {
  const store = { stamp: 1, value: 'one' as string | undefined, loads: 0 };
  const cache = new StampedCache<string>(() => store.stamp, entriesMax);
  const load = async () => {
    store.loads++;
    return store.value;
  };
  return { store, cache, load };
}

it('reads once while nothing changes', async () => {
  const { store, cache, load } = setUp();
  expect([await cache.read('a', load), await cache.read('a', load)]).toEqual(['one', 'one']);
  expect(store.loads).toBe(1);
});

it('reads again after any change, and forgets everything', async () => {
  const { store, cache, load } = setUp();
  await cache.read('a', load);
  await cache.read('b', load);
  Object.assign(store, { stamp: 2, value: 'two' });
  expect([await cache.read('a', load), await cache.read('b', load)]).toEqual(['two', 'two']);
});

it('a value that was read while the store changed is not kept', async () => {
  const { store, cache } = setUp();
  const slow = cache.read('a', async () => {
    store.stamp = 2;
    await cache.read('b', async () => 'b');
    return 'read across a change';
  });
  await slow;
  expect(await cache.read('a', async () => 'new')).toBe('new');
});

it('does not remember what is missing', async () => {
  const { store, cache, load } = setUp();
  store.value = undefined;
  await cache.read('a', load);
  await cache.read('a', load);
  expect(store.loads).toBe(2);
});

it('holds a bounded number, the oldest go first', async () => {
  const { store, cache, load } = setUp(2);
  for (const name of ['a', 'b', 'c', 'c', 'a']) await cache.read(name, load);
  expect(store.loads).toBe(4);
});

it('without a stamp every read goes to the store', async () => {
  const { store, load } = setUp();
  const cache = new StampedCache<string>(undefined, 10);
  await cache.read('a', load);
  await cache.read('a', load);
  expect(store.loads).toBe(2);
});
