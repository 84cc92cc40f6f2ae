import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readAllPages } from './read-all-pages.ts';

const entries = (count: number) => Array.from({ length: count }, (_, index) => ({ id: String(index) }));

it('answers every entry once, in order, however many one page holds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(50), fc.integer({ min: 1, max: 20 }), async (total, size) => {
      const all = entries(total);
      const asked: number[] = [];
      const read = await readAllPages(async (offset) => {
        asked.push(offset);
        return { data: all.slice(offset, offset + size), meta: { total } };
      });
      expect(read).toEqual(all);
      expect(asked.length).toBe(Math.max(1, Math.ceil(total / size)));
    }),
  );
});

it('takes an answer without a total as the whole list', async () => {
  expect(await readAllPages(async () => ({ data: entries(3) }))).toEqual(entries(3));
});

it('ends when entries were removed while it read', async () => {
  const pages = [entries(2), []];
  expect(await readAllPages(async () => ({ data: pages.shift() ?? [], meta: { total: 9 } }))).toEqual(entries(2));
});
