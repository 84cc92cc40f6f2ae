import { assertNever } from '../../kernel/assert-never.ts';
import { quoteName } from '../../kernel/sql-quoting.ts';
import type { From, Ordering, Select } from '../plan/select.ts';
import type { SqlExpr } from '../plan/sql-expr.ts';
import { Parameters } from './parameters.ts';

/** Columns are always written `src.name`, so that no alias of ours can hide one. */
const tableAlias = 'src';

export interface PrintedStatement {
  sql: string;
  params: Readonly<Record<string, string>>;
}

interface Context {
  readonly params: Parameters;
  /** Calls that were printed already: trees share nodes, so the same one comes by many times. */
  readonly printed: Map<SqlExpr, string>;
  /** Written before each column, with a point. */
  readonly alias: string;
}

/** The one place where a tree becomes SQL text. */
export function printClickHouse(select: Select): PrintedStatement {
  const params = new Parameters();
  const sql = printSelect(select, { params, printed: new Map(), alias: `${tableAlias}.` }, '');
  return { sql, params: params.all() };
}

/** Conditions for the statement of someone else, whose tables have other aliases; parameters begin with the prefix. */
export function printConditions(conditions: readonly SqlExpr[], prefix: string): PrintedStatement {
  const params = new Parameters(prefix);
  const context = { params, printed: new Map<SqlExpr, string>(), alias: '' };
  const sql = conditions.map((condition) => printExpr(condition, context)).join(' AND ');
  return { sql, params: params.all() };
}

function printSelect(select: Select, context: Context, indent: string): string {
  const print = (expr: SqlExpr): string => printExpr(expr, context);
  const lines = [
    ...printKnown(select, context, indent),
    `SELECT ${select.columns.map(({ as, expr }) => `${print(expr)} AS ${as}`).join(`,\n${indent}  `)}`,
    `FROM ${printFrom(select.from, context, indent)}`,
  ];
  if (select.unfold) lines.push(`ARRAY JOIN ${select.unfold.array} AS ${select.unfold.as}`);
  const bounds = select.from.kind === 'table' ? select.from.bounds : [];
  const conditions = [...bounds, ...(select.where ?? [])].map((item) => `(${print(item)})`);
  conditions.push(...printNoneOf(select, context, indent));
  if (conditions.length > 0) lines.push(`WHERE ${conditions.join(`\n${indent}  AND `)}`);
  if (select.groupBy?.length) lines.push(`GROUP BY ${select.groupBy.map(print).join(', ')}`);
  if (select.groupingSets?.length) {
    const sets = select.groupingSets.map((set) => `(${set.map(print).join(', ')})`);
    lines.push(`GROUP BY GROUPING SETS (${sets.join(', ')})`);
  }
  if (select.having) lines.push(`HAVING ${print(select.having)}`);
  if (select.orderBy?.length)
    lines.push(`ORDER BY ${select.orderBy.map((item) => printOrdering(item, context)).join(', ')}`);
  if (select.limitPer) lines.push(`LIMIT ${select.limitPer.rows} BY ${select.limitPer.by.map(print).join(', ')}`);
  if (select.limit !== undefined)
    lines.push(`LIMIT ${select.limit}${select.offset === undefined ? '' : ` OFFSET ${select.offset}`}`);
  return lines.join(`\n${indent}`);
}

function printKnown({ known }: Select, context: Context, indent: string): string[] {
  if (!known) return [];
  const deeper = `${indent}  `;
  return [`WITH (\n${deeper}${printSelect(known.select, context, deeper)}\n${indent}) AS ${known.as}`];
}

/** GLOBAL: on a cluster, the values are found once and sent to every shard. */
function printNoneOf({ noneOf }: Select, context: Context, indent: string): string[] {
  if (!noneOf) return [];
  const deeper = `${indent}    `;
  const values = printSelect(noneOf.select, context, deeper);
  return [`${printExpr(noneOf.item, context)} GLOBAL NOT IN (\n${deeper}${values}\n${indent}  )`];
}

function printOrdering({ expr, descending }: Ordering, context: Context): string {
  return `${printExpr(expr, context)}${descending ? ' DESC' : ''}`;
}

function printFrom(from: From, context: Context, indent: string): string {
  const deeper = `${indent}  `;
  switch (from.kind) {
    case 'table':
      return `${quoteName(from.table.database)}.${quoteName(from.table.table)} AS ${tableAlias}`;
    case 'select':
      return `(\n${deeper}${printSelect(from.select, context, deeper)}\n${indent})`;
    case 'union': {
      const parts = from.selects.map((part) => printSelect(part, context, deeper));
      return `(\n${deeper}${parts.join(`\n${deeper}UNION ALL\n${deeper}`)}\n${indent})`;
    }
    case 'join': {
      const [left, right] = [from.left, from.right].map(({ select }) => printSelect(select, context, deeper));
      const on = `${from.left.key} = ${from.right.key}`;
      return `(\n${deeper}${left}\n${indent}) AS l\n${indent}INNER JOIN (\n${deeper}${right}\n${indent}) AS r ON ${on}`;
    }
    default:
      return assertNever(from);
  }
}

function printExpr(expr: SqlExpr, context: Context): string {
  const print = (inner: SqlExpr): string => printExpr(inner, context);
  switch (expr.kind) {
    case 'column':
      return `${context.alias}${quoteName(expr.name)}`;
    case 'alias':
      return expr.name;
    case 'value':
      return context.params.placeholder(expr.type, expr.text);
    case 'attribute':
      return print(expr.from);
    case 'number':
      return printNumber(expr.value);
    case 'word':
      return `'${expr.word}'`;
    case 'null':
      return 'NULL';
    case 'call':
      return printCall(expr, context);
    case 'binary':
      return `(${print(expr.left)} ${expr.operator} ${print(expr.right)})`;
    case 'and':
      return `(${expr.items.map(print).join(' AND ')})`;
    case 'or':
      return `(${expr.items.map(print).join(' OR ')})`;
    case 'not':
      return `NOT (${print(expr.item)})`;
    case 'memberOf':
      return `(${print(expr.item)} IN (SELECT arrayJoin(${print(expr.array)})))`;
    case 'lambda':
      return `(${expr.names.join(', ')}) -> ${print(expr.body)}`;
    case 'window': {
      const order = expr.orderBy.map(print).join(', ');
      const frame = 'ROWS BETWEEN 2 PRECEDING AND CURRENT ROW';
      return `${print(expr.call)} OVER (${printPartition(expr.partitionBy, print)} ORDER BY ${order} ${frame})`;
    }
    case 'overAll':
      return `${print(expr.call)} OVER (${printPartition(expr.partitionBy, print)})`;
    default:
      return assertNever(expr);
  }
}

function printPartition(by: readonly SqlExpr[] | undefined, print: (expr: SqlExpr) => string): string {
  return by === undefined ? '' : `PARTITION BY ${by.map(print).join(', ')}`;
}

function printCall(expr: Extract<SqlExpr, { kind: 'call' }>, context: Context): string {
  const known = context.printed.get(expr);
  if (known !== undefined) return known;
  const args = expr.args.map((arg) => printExpr(arg, context));
  const text = printApplied(expr, args);
  context.printed.set(expr, text);
  return text;
}

function printApplied(
  { name, levels = [], buckets }: Extract<SqlExpr, { kind: 'call' }>,
  args: readonly string[],
): string {
  if (name === 'IN') return `(${args[0]} IN (${args.slice(1).join(', ')}))`;
  if (name === 'array') return `[${args.join(', ')}]`;
  const settings = [...levels, ...(buckets ? [buckets.first, buckets.end, 1] : [])];
  const parameters = settings.length === 0 ? '' : `(${settings.map(printNumber).join(', ')})`;
  return `${name}${buckets ? 'Resample' : ''}${parameters}(${args.join(', ')})`;
}

/** Never in exponent form for whole numbers; infinity is the engine's `inf`. */
function printNumber(value: number): string {
  return Number.isFinite(value) ? String(value) : value > 0 ? 'inf' : '-inf';
}
