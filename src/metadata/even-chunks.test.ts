import fc from 'fast-check';
import { expect, it } from 'vitest';
import { evenChunks } from './even-chunks.ts';

it('keeps every item in order, in chunks whose lengths are powers of two up to the largest', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 300 }), fc.constantFrom(1, 8, 64), (items, max) => {
      const chunks = evenChunks(items, max);
      expect(chunks.flat()).toEqual(items);
      for (const { length } of chunks) expect(length <= max && Math.log2(length) % 1 === 0).toBe(true);
      const expected = Math.floor(items.length / max) + (items.length % max).toString(2).replaceAll('0', '').length;
      expect(chunks).toHaveLength(expected);
    }),
  );
});
