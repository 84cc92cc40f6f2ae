import { describe, expect, it } from 'vitest';
import { asOneCall, Batcher } from './batcher.ts';

describe('Batcher', () => {
  it('passes on together what is requested within one turn, and settles each separately', async () => {
    const seen: number[][] = [];
    const batcher = new Batcher<number, number>((items) => {
      seen.push([...items]);
      return items.map((item) => (item < 0 ? Promise.reject(new Error('negative')) : Promise.resolve(item * 2)));
    });
    const outcomes = await Promise.allSettled([batcher.add(1), batcher.add(-1), batcher.add(3)]);
    expect(outcomes.map((each) => (each.status === 'fulfilled' ? each.value : 'failed'))).toEqual([2, 'failed', 6]);
    expect(await batcher.add(4)).toBe(8);
    expect(seen).toEqual([[1, -1, 3], [4]]);
  });

  it('one that never answers delays no other', async () => {
    const batcher = new Batcher<string, string>((items) =>
      items.map((item) => (item === 'hangs' ? new Promise(() => {}) : Promise.resolve(item))),
    );
    void batcher.add('hangs');
    expect(await batcher.add('fine')).toBe('fine');
  });

  it('a handler that throws fails those that it was given, and not the next', async () => {
    let calls = 0;
    const batcher = new Batcher<number, number>((items) => {
      if (calls++ === 0) throw new Error('broken');
      return items.map((item) => Promise.resolve(item));
    });
    const both = await Promise.allSettled([batcher.add(1), batcher.add(2)]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await batcher.add(3)).toBe(3);
  });

  it('asOneCall: the results in the order of the items; a failure is shared by all', async () => {
    const batcher = new Batcher(asOneCall(async (items: readonly number[]) => items.map((item) => item + 1)));
    expect(await Promise.all([batcher.add(1), batcher.add(2)])).toEqual([2, 3]);
    const failing = new Batcher<number, number>(asOneCall(async () => Promise.reject(new Error('down'))));
    const both = await Promise.allSettled([failing.add(1), failing.add(2)]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
