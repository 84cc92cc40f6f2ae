import type { SqlExpr } from '../plan/sql-expr.ts';

/** The conditions that others combine with AND, OR and NOT: each once, however often they use it. */
export class Atoms {
  readonly #places = new Map<string, number>();
  readonly #keys = new Map<SqlExpr, string>();
  readonly exprs: SqlExpr[] = [];

  /** Takes the atoms of all conditions, unless there are more than `max` then. */
  tryAdd(conditions: readonly SqlExpr[], max: number): boolean {
    const fresh = new Map<string, SqlExpr>();
    for (const condition of conditions) this.#collectFresh(condition, fresh);
    if (this.exprs.length + fresh.size > max) return false;
    for (const [key, expr] of fresh) this.#places.set(key, this.exprs.push(expr) - 1);
    return true;
  }

  /** Index of an atom in `exprs`. */
  placeOf(atom: SqlExpr): number | undefined {
    return this.#places.get(this.keyOf(atom));
  }

  /** Equal for equal conditions. */
  keyOf(atom: SqlExpr): string {
    const known = this.#keys.get(atom) ?? JSON.stringify(atom);
    this.#keys.set(atom, known);
    return known;
  }

  #collectFresh(condition: SqlExpr, fresh: Map<string, SqlExpr>): void {
    switch (condition.kind) {
      case 'and':
      case 'or':
        for (const item of condition.items) this.#collectFresh(item, fresh);
        return;
      case 'not':
        this.#collectFresh(condition.item, fresh);
        return;
      default: {
        const key = this.keyOf(condition);
        if (!this.#places.has(key)) fresh.set(key, condition);
      }
    }
  }
}
