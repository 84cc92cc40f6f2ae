import { describe, expect, it } from 'vitest';
import { allAtOnce, Gather } from './gather.ts';

describe('Gather', () => {
  it('hands over together what is asked within one turn, and settles each by itself', async () => {
    const seen: number[][] = [];
    const gather = new Gather<number, number>((items) => {
      seen.push([...items]);
      return items.map((item) => (item < 0 ? Promise.reject(new Error('negative')) : Promise.resolve(item * 2)));
    });
    const outcomes = await Promise.allSettled([gather.ask(1), gather.ask(-1), gather.ask(3)]);
    expect(outcomes.map((each) => (each.status === 'fulfilled' ? each.value : 'failed'))).toEqual([2, 'failed', 6]);
    expect(await gather.ask(4)).toBe(8);
    expect(seen).toEqual([[1, -1, 3], [4]]);
  });

  it('one that never answers keeps nobody waiting', async () => {
    const gather = new Gather<string, string>((items) =>
      items.map((item) => (item === 'hangs' ? new Promise(() => {}) : Promise.resolve(item))),
    );
    void gather.ask('hangs');
    expect(await gather.ask('fine')).toBe('fine');
  });

  it('a handler that throws fails those that it was given, and not the next', async () => {
    let calls = 0;
    const gather = new Gather<number, number>((items) => {
      if (calls++ === 0) throw new Error('broken');
      return items.map((item) => Promise.resolve(item));
    });
    const both = await Promise.allSettled([gather.ask(1), gather.ask(2)]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await gather.ask(3)).toBe(3);
  });

  it('allAtOnce: the results in the order of the items; a failure is everybody’s', async () => {
    const gather = new Gather(allAtOnce(async (items: readonly number[]) => items.map((item) => item + 1)));
    expect(await Promise.all([gather.ask(1), gather.ask(2)])).toEqual([2, 3]);
    const failing = new Gather<number, number>(allAtOnce(async () => Promise.reject(new Error('down'))));
    const both = await Promise.allSettled([failing.ask(1), failing.ask(2)]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
