import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { QueryTextError } from '../../../query/compiled-query.ts';
import { parseFormula } from '../request/parse-formula.ts';
import type { Cell } from './chart-table.ts';
import { evaluateFormula } from './evaluate-formula.ts';

const resultOf = (text: string, ...operands: Cell[]) => evaluateFormula(parseFormula(text, operands.length), operands);

describe('formulas (contract §2.3)', () => {
  it.each<[string, Cell[], number | null]>([
    ['A + B * C', [1, 2, 3], 7],
    ['(A + B) * C', [1, 2, 3], 9],
    ['A - B - C', [10, 3, 2], 5],
    ['A / B / C', [12, 3, 2], 2],
    ['-A + 1', [4], -3],
    ['--A', [4], 4],
    ['2 * -(A)', [4], -8],
    ['A*100/B', [1, 8], 12.5],
    ['.5 * A', [4], 2],
    ['1.25', [], 1.25],
    ['A / B', [1, 0], null],
    ['A / (B - B)', [1, 2], null],
    ['A + B', [1, undefined], null],
    ['A + B', [null, 1], null],
    ['A', [1, undefined], 1],
    ['A * A', [1e200], null],
  ])('%s of %j is %j', (text, operands, expected) => {
    expect(resultOf(text, ...operands)).toBe(expected);
  });

  it.each<[string, number, string, number]>([
    ['A + C', 2, 'there is no C; the select items are A to B', 4],
    ['B', 1, 'there is no B; there is only A', 0],
    ['A +', 1, 'expected a number, a letter or "(", found the end', 3],
    ['(A', 1, 'expected ")", found the end', 2],
    ['A B', 2, 'expected an operator or the end, found "B"', 2],
    ['a', 1, 'expected a number, a letter or "(", found "a"', 0],
    ['AB', 2, 'expected a number, a letter or "(", found "A"', 0],
    ['A; DROP TABLE x', 1, 'expected an operator or the end, found ";"', 1],
    ['1e5', 0, 'expected an operator or the end, found "e"', 1],
    ['', 1, 'expected a number, a letter or "(", found the end', 0],
    [`${'('.repeat(65)}A${')'.repeat(65)}`, 1, 'is nested more than 64 deep', 64],
  ])('%s is rejected with reason and position', (text, operands, message, position) => {
    expect(() => parseFormula(text, operands)).toThrow(
      expect.objectContaining({ message, position, constructor: QueryTextError }),
    );
  });

  it('nesting of 64 is fine, however it is made', () => {
    expect(resultOf(`${'('.repeat(64)}A${')'.repeat(64)}`, 5)).toBe(5);
    expect(resultOf(`${'-'.repeat(64)}A`, 5)).toBe(5);
    expect(() => resultOf(`${'-('.repeat(33)}A${')'.repeat(33)}`, 5)).toThrow('nested more than 64');
  });

  it('means what JavaScript means by the same text', () => {
    const leaf = fc.constantFrom('A', 'B', 'C', '2', '0.5', '7');
    const { text } = fc.letrec<{ text: string }>((tie) => ({
      text: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        leaf,
        fc
          .tuple(tie('text'), fc.constantFrom('+', '-', '*', '/'), tie('text'))
          .map(([left, operator, right]) => `(${left} ${operator} ${right})`),
        tie('text').map((inner) => `(- ${inner})`),
      ),
    }));
    fc.assert(
      fc.property(text, fc.tuple(fc.integer(), fc.integer(), fc.integer()), (made, operands) => {
        const [A, B, C] = operands;
        const expected: unknown = new Function('A', 'B', 'C', `return ${made}`)(A, B, C);
        const value = resultOf(made, ...operands);
        if (value === null) expect(made).toContain('/');
        else expect(value).toBe(expected);
      }),
    );
  });
});
