import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { column, type SqlExpr } from '../plan/sql-expr.ts';
import { Atoms } from './atoms.ts';
import { TruthTable } from './truth-table.ts';

type Value = true | false | null;

const names = ['a', 'b', 'c', 'd'];
const { condition } = fc.letrec<{ condition: SqlExpr }>((tie) => ({
  condition: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...names).map(column),
    fc.record({ kind: fc.constant('not' as const), item: tie('condition') }),
    fc.record({ kind: fc.constant('and' as const), items: fc.array(tie('condition'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ kind: fc.constant('or' as const), items: fc.array(tie('condition'), { minLength: 1, maxLength: 3 }) }),
  ),
}));
const row = fc.array(fc.constantFrom<Value>(true, false, null), { minLength: names.length, maxLength: names.length });

/** The three-valued logic of SQL, word by word. */
function decide(expr: SqlExpr, values: readonly Value[]): Value {
  switch (expr.kind) {
    case 'not': {
      const value = decide(expr.item, values);
      return value === null ? null : !value;
    }
    case 'and':
    case 'or': {
      const decisive = expr.kind === 'or';
      const parts = expr.items.map((item) => decide(item, values));
      if (parts.includes(decisive)) return decisive;
      return parts.includes(null) ? null : !decisive;
    }
    default:
      return values[expr.kind === 'column' ? names.indexOf(expr.name) : -1] ?? null;
  }
}

describe('a truth table', () => {
  it('finds the rows of which all conditions hold, as SQL decides them, NULL included', () => {
    fc.assert(
      fc.property(fc.array(condition, { maxLength: 3 }), fc.array(row, { maxLength: 70 }), (conditions, rows) => {
        const atoms = new Atoms();
        expect(atoms.tryAdd(conditions, names.length)).toBe(true);
        const placesOf = (wanted: Value) =>
          rows.map((values) => atoms.exprs.flatMap((atom, at) => (decide(atom, values) === wanted ? [at + 1] : [])));
        const found: number[] = [];
        new TruthTable(atoms, placesOf(true), placesOf(null)).eachRowWhere(conditions, (at) => found.push(at));
        const holds = (values: readonly Value[]) => conditions.every((each) => decide(each, values) === true);
        expect(found).toEqual(rows.flatMap((values, at) => (holds(values) ? [at] : [])));
      }),
    );
  });
});

describe('the atoms of conditions', () => {
  it('are listed once, and not at all if there is no room for all of them', () => {
    const atoms = new Atoms();
    const [a, b, c] = [column('a'), column('b'), column('c')];
    expect(atoms.tryAdd([{ kind: 'and', items: [a, { kind: 'not', item: b }] }], 2)).toBe(true);
    expect(atoms.tryAdd([{ kind: 'or', items: [column('b'), c] }], 2)).toBe(false);
    expect(atoms.tryAdd([{ kind: 'or', items: [column('b'), column('a')] }], 2)).toBe(true);
    expect(atoms.exprs).toEqual([a, b]);
    expect(atoms.placeOf(column('b'))).toBe(1);
  });
});
