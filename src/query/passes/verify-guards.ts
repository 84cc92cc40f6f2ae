import type { Guards } from '../chart-query.ts';
import { allSelects, expressionsOf, type Select } from '../plan/select.ts';
import { ownWords, printableFunctions, type SqlExpr } from '../plan/sql-expr.ts';
import { partsOf } from '../plan/walk-expr.ts';
import type { TableSchema } from '../source-schema.ts';

/** A plan broke a rule that no plan may break: a defect of ours, never of the user. */
export class GuardError extends Error {
  constructor(rule: string) {
    super(`a query was rejected: ${rule}`);
    this.name = 'GuardError';
  }
}

/**
 * The last look at a plan, after all passes; fails closed. Every table is in the tenant's database and bounded in
 * time, every column exists, every function is on the list, every name of ours is plain, the result is limited.
 */
export function verifyGuards(plan: Select, guards: Guards): void {
  // One row more than allowed, so that the engine rejects a result that is too long instead of truncating it.
  if (plan.limit === undefined || !(plan.limit <= guards.resultRowsMax + 1)) throw new GuardError('no limit');
  for (const select of allSelects(plan)) {
    const table = select.from.kind === 'table' ? select.from.table : undefined;
    if (table) verifyTable(table, guards);
    if (select.from.kind === 'table') verifyBounds(select.from.bounds);
    for (const { as } of select.columns) verifyAlias(as);
    if (select.known) verifyAlias(select.known.as);
    const seen = new Set<SqlExpr>();
    for (const expr of expressionsOf(select)) verifyExpr(expr, table, seen);
  }
}

/** The same look at conditions that go into the statement of someone else. */
export function verifyConditions(conditions: readonly SqlExpr[], table: TableSchema): void {
  const seen = new Set<SqlExpr>();
  for (const condition of conditions) verifyExpr(condition, table, seen);
}

function verifyTable(table: TableSchema, guards: Guards): void {
  const { database } = guards;
  if (database === '' || table.database !== database) throw new GuardError('a table of another database');
}

function verifyBounds(bounds: readonly SqlExpr[]): void {
  const operators = bounds.map((bound) => (bound.kind === 'binary' ? bound.operator : ''));
  if (!operators.includes('>=') || !operators.includes('<')) throw new GuardError('a table without a time range');
}

function verifyAlias(name: string): void {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new GuardError('an unknown name');
}

/** Trees share calls; each is visited once per select. */
function verifyExpr(expr: SqlExpr, table: TableSchema | undefined, seen: Set<SqlExpr>): void {
  if (expr.kind === 'call') {
    if (seen.has(expr)) return;
    seen.add(expr);
  }
  if (expr.kind === 'column' && !table?.columns.has(expr.name)) throw new GuardError('an unknown column');
  if (expr.kind === 'alias') verifyAlias(expr.name);
  if (expr.kind === 'word' && !ownWords.has(expr.word)) throw new GuardError('an unknown word');
  if (expr.kind === 'call' && !printableFunctions.has(expr.name)) throw new GuardError('an unknown function');
  if (expr.kind === 'call' && expr.levels?.some((level) => !(level >= 0 && level <= 1))) {
    throw new GuardError('a level outside of 0 to 1');
  }
  for (const part of partsOf(expr)) verifyExpr(part, table, seen);
}
