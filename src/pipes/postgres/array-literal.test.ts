import fc from 'fast-check';
import { expect, it } from 'vitest';
import { arrayElements } from './array-literal.ts';

/** As PostgreSQL writes an element: in quotes wherever they may be needed. */
function printed(element: string | null): string {
  return element === null ? 'NULL' : `"${element.replaceAll(/["\\]/g, '\\$&')}"`;
}

it('reads the elements that were written', () => {
  const elements = fc.array(fc.option(fc.string({ unit: fc.constantFrom('a', '"', '\\', ',', '{', '}', ' ', 'é') })));
  fc.assert(
    fc.property(elements, (given) => {
      expect(arrayElements(`{${given.map(printed).join(',')}}`)).toEqual(given);
    }),
  );
});

it.each([
  ['{}', []],
  ['{1,-2.5,NULL}', ['1', '-2.5', null]],
  ['{"NULL",null}', ['NULL', 'null']],
  ['{{1},{2}}', undefined],
  ['[0:1]={1,2}', undefined],
  ['', undefined],
])('%s', (literal, elements) => {
  expect(arrayElements(literal)).toEqual(elements);
});
