import { describe, expect, it } from 'vitest';
import { formulaProblem } from './check-formulas.ts';

describe('formulaProblem (contract §2.3)', () => {
  it.each(['A', 'A/B', '-A', 'A - -B', '(A + 1.5) * (B)', ' 100 * A / B ', '1', `${'('.repeat(64)}A${')'.repeat(64)}`])(
    'accepts %s',
    (text) => {
      expect(formulaProblem(text, 2)).toBeUndefined();
    },
  );

  it.each([
    ['C', 'uses C, but there are 2 items'],
    ['', 'it ends too early'],
    ['A +', 'it ends too early'],
    ['(A', 'it ends too early'],
    ['A)', 'unexpected ")"'],
    ['A B', 'unexpected "B"'],
    ['AB', 'unexpected "B"'],
    ['*A', 'unexpected "*"'],
    ['A; DROP', 'unexpected ";"'],
    ['a', 'unexpected "a"'],
    ['A + .', 'unexpected "."'],
    ['()', 'unexpected ")"'],
    [`${'('.repeat(65)}A${')'.repeat(65)}`, 'must not nest deeper than 64'],
  ])('refuses %j: %s', (text, reason) => {
    expect(formulaProblem(text, 2)).toContain(reason);
  });
});
