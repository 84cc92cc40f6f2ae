import type { TextExpr } from '../../../query/ast/text-expr.ts';
import { QueryTextError } from '../../../query/compiled-query.ts';
import { parseSqlCondition } from '../../../query/sql/parse-sql.ts';
import { QueryProblem } from '../request/query-problem.ts';
import { findCell, type RowNames, type TileRow } from './tile-rows.ts';

const path = 'config.having';
type Value = string | number | boolean | null;
type Read = (row: TileRow) => Value;

/**
 * The rows that meet a HAVING condition over the tile's own columns: comparisons, IN, IS NULL, arithmetic, AND, OR,
 * NOT. It is evaluated here, on the answer, and never sent to the store. Throws `query_invalid` with the position.
 */
export function filterRows<R extends TileRow>(
  rows: readonly R[],
  having: string | undefined,
  names: RowNames,
): readonly R[] {
  if (having === undefined) return rows;
  try {
    const holds = readerOf(parseSqlCondition(having), having, names);
    return rows.filter((row) => holds(row) === true);
  } catch (error) {
    if (error instanceof QueryTextError) throw new QueryProblem(path, error.message, error.position);
    throw error;
  }
}

function readerOf(expr: TextExpr, text: string, names: RowNames): Read {
  const part = (item: TextExpr) => readerOf(item, text, names);
  switch (expr.kind) {
    case 'everything':
      return () => true;
    case 'allOf': {
      const items = expr.items.map(part);
      return (row) => conjunction(items.map((item) => item(row)));
    }
    case 'anyOf': {
      const items = expr.items.map(part);
      return (row) => disjunction(items.map((item) => item(row)));
    }
    case 'not': {
      const item = part(expr.item);
      // As in SQL: what is unknown stays unknown when it is negated.
      return (row) => negated(item(row));
    }
    case 'compare': {
      const [left, right] = [part(expr.left), part(expr.right)];
      return (row) => compared(expr.operator, left(row), right(row));
    }
    case 'in': {
      const item = part(expr.item);
      const options = expr.options.map(part);
      return (row) => disjunction(options.map((option) => compared('=', item(row), option(row))));
    }
    case 'isNull': {
      const item = part(expr.item);
      return (row) => item(row) === null;
    }
    case 'arithmetic': {
      const [left, right] = [part(expr.left), part(expr.right)];
      return (row) => calculated(expr.operator, left(row), right(row));
    }
    case 'literal':
      return literalOf(expr.type, expr.text);
    case 'name':
    case 'call':
      return cellOf(text, expr, names);
    default:
      throw new QueryTextError('only comparisons of the columns of this tile are allowed here');
  }
}

function cellOf(text: string, { start, end }: { start: number; end: number }, names: RowNames): Read {
  const written = text.slice(start, end);
  const cell = findCell(written, names);
  if (cell) return cell;
  const known = [...names.groups, ...names.values].map((name) => JSON.stringify(name)).join(', ');
  throw new QueryTextError(`the tile has no column ${JSON.stringify(written)}; it has ${known}`, start, end);
}

function literalOf(type: 'text' | 'number' | 'bool' | 'null', text: string): Read {
  if (type === 'null') return () => null;
  if (type === 'bool') return () => text.toLowerCase() === 'true';
  const value = type === 'number' ? Number(text) : text;
  return () => value;
}

/** As in SQL: one that fails decides, else one that is unknown. */
function conjunction(values: readonly Value[]): Value {
  if (values.some((value) => value !== null && value !== true)) return false;
  return values.includes(null) ? null : true;
}

function disjunction(values: readonly Value[]): Value {
  return negated(conjunction(values.map(negated)));
}

function negated(value: Value): Value {
  return value === null ? null : value !== true;
}

function compared(operator: '=' | '!=' | '<' | '<=' | '>' | '>=', a: Value, b: Value): boolean | null {
  if (a === null || b === null) return null;
  const [left, right] = typeof a === typeof b ? [a, b] : [String(a), String(b)];
  switch (operator) {
    case '=':
      return left === right;
    case '!=':
      return left !== right;
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
  }
}

function calculated(operator: '+' | '-' | '*' | '/' | '%', a: Value, b: Value): number | null {
  if (typeof a !== 'number' || typeof b !== 'number') return null;
  const results = { '+': a + b, '-': a - b, '*': a * b, '/': a / b, '%': a % b };
  return Number.isFinite(results[operator]) ? results[operator] : null;
}
