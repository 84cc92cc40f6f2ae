import type { SqlExpr } from '../plan/sql-expr.ts';
import type { Atoms } from './atoms.ts';

/** A set of rows, a bit each. */
type RowSet = Uint32Array;

/** Of which rows a condition holds and of which it does not; of the others it is NULL. */
interface Truth {
  holds: RowSet;
  fails: RowSet;
}

/** Evaluates conditions for many rows at a time from each row's atoms, with SQL's logic, NULL included. */
export class TruthTable {
  readonly #atoms: Atoms;
  readonly #truths: readonly Truth[];
  readonly #rows: number;
  readonly #words: number;

  /** `held[row]` and `unknown[row]` list the atoms that hold and that are NULL of a row, counted from 1. */
  constructor(atoms: Atoms, held: readonly (readonly number[])[], unknown: readonly (readonly number[])[]) {
    this.#atoms = atoms;
    this.#rows = held.length;
    this.#words = Math.ceil(held.length / 32);
    this.#truths = atoms.exprs.map(() => ({ holds: this.#set(0), fails: this.#set(-1) }));
    for (const [row, places] of held.entries()) this.#mark(places, row, true);
    for (const [row, places] of unknown.entries()) this.#mark(places, row, false);
  }

  /** Calls `take` with each row of which all conditions hold. */
  eachRowWhere(conditions: readonly SqlExpr[], take: (row: number) => void): void {
    const { holds } = this.#all(conditions);
    holds.forEach((word, at) => {
      for (let rest = word; rest !== 0; rest &= rest - 1) {
        const row = at * 32 + 31 - Math.clz32(rest & -rest);
        if (row < this.#rows) take(row);
      }
    });
  }

  #mark(places: readonly number[], row: number, isTrue: boolean): void {
    const [at, bit] = [row >>> 5, 1 << (row & 31)];
    for (const place of places) {
      const truth = this.#truths[place - 1];
      if (!truth) throw new Error('a row names an atom that was not requested');
      if (isTrue) truth.holds[at] = (truth.holds[at] ?? 0) | bit;
      truth.fails[at] = (truth.fails[at] ?? 0) & ~bit;
    }
  }

  #truthOf(expr: SqlExpr): Truth {
    switch (expr.kind) {
      case 'and':
        return this.#all(expr.items);
      case 'or': {
        const { holds, fails } = this.#all(expr.items.map((item): SqlExpr => ({ kind: 'not', item })));
        return { holds: fails, fails: holds };
      }
      case 'not': {
        const { holds, fails } = this.#truthOf(expr.item);
        return { holds: fails, fails: holds };
      }
      default: {
        const truth = this.#truths[this.#atoms.placeOf(expr) ?? -1];
        if (!truth) throw new Error('a condition contains an atom that was not requested');
        return truth;
      }
    }
  }

  #all(items: readonly SqlExpr[]): Truth {
    const holds = this.#set(-1);
    const fails = this.#set(0);
    for (const item of items) {
      const truth = this.#truthOf(item);
      for (let at = 0; at < this.#words; at++) {
        holds[at] = (holds[at] ?? 0) & (truth.holds[at] ?? 0);
        fails[at] = (fails[at] ?? 0) | (truth.fails[at] ?? 0);
      }
    }
    return { holds, fails };
  }

  /** All rows, or none. Bits beyond the last row mean nothing. */
  #set(word: -1 | 0): RowSet {
    return new Uint32Array(this.#words).fill(word);
  }
}
