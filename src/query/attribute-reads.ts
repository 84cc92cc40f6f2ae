import { allSelects, expressionsOf, type Select } from './plan/select.ts';
import type { SqlExpr } from './plan/sql-expr.ts';
import { partsOf } from './plan/walk-expr.ts';
import type { Attribute, AttributeForm } from './schema/attribute-columns.ts';
import type { TableSchema } from './source-schema.ts';

/** An attribute that a statement reads from its maps row by row, as it has no attribute column. */
export interface AttributeRead {
  readonly database: string;
  readonly table: string;
  readonly attribute: Attribute;
  readonly form: AttributeForm;
}

/** What a plan reads of its tables' maps key by key. */
export function attributeReads(plan: Select): readonly AttributeRead[] {
  const reads = new Map<string, AttributeRead>();
  for (const select of allSelects(plan)) {
    if (select.from.kind !== 'table') continue;
    const { table } = select.from;
    const seen = new Set<SqlExpr>();
    for (const expr of expressionsOf(select)) collect(expr, table, reads, seen);
  }
  return [...reads.values()];
}

function collect(
  expr: SqlExpr,
  { database, table }: TableSchema,
  reads: Map<string, AttributeRead>,
  seen: Set<SqlExpr>,
): void {
  const visit = (part: SqlExpr): void => {
    if (seen.has(part)) return;
    seen.add(part);
    const read = readOf(part);
    if (read) reads.set(JSON.stringify([database, table, read]), { database, table, ...read });
    else for (const inner of partsOf(part)) visit(inner);
  };
  visit(expr);
}

function readOf(expr: SqlExpr): { attribute: Attribute; form: AttributeForm } | undefined {
  if (expr.kind === 'call' && expr.name === 'toFloat64OrNull') {
    const [operand] = expr.args;
    return operand?.kind === 'attribute' ? { attribute: operand.attribute, form: 'number' } : undefined;
  }
  if (expr.kind !== 'attribute' || expr.from.kind === 'column') return undefined;
  return { attribute: expr.attribute, form: 'text' };
}
