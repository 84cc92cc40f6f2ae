import type { Guards, TimeRange } from './chart-query.ts';
import { compileWhere } from './compile-text.ts';
import { type CompiledQuery, inText, QueryTextError } from './compiled-query.ts';
import type { FacetQuery, ReadBudget, ValuesQuery } from './completion-query.ts';
import { finishPlan } from './finish-plan.ts';
import { boundTime } from './passes/bound-time.ts';
import { fieldText, planEventCount, planFacets } from './plan/plan-facets.ts';
import { readEvents } from './plan/read-events.ts';
import type { Select, TableRead } from './plan/select.ts';
import { alias, binary, call, column, constant, emptyText, or, type SqlExpr, textValue } from './plan/sql-expr.ts';
import { type Scope, scopeOf } from './schema/scope.ts';
import { type EventSourceSchema, type MetricSourceSchema, type SourceSchema, tableOfSchema } from './source-schema.ts';

const sampledRows = { keys: 5_000, values: 100_000 };
/** Attribute keys of one map that are answered. */
const keysMax = 2_000;

/** Keys of some map columns among a few rows of the range: one row, columns `k0`, `k1`, … of arrays of text. */
export function compileAttributeKeys(
  { range, maps }: { range: TimeRange; maps: readonly string[] },
  source: SourceSchema,
  guards: Guards,
  budget: ReadBudget,
): CompiledQuery {
  const { from, where } = readRows(source, range);
  const rows: Select = {
    columns: maps.map((name, index) => ({ as: `m${index}`, expr: call('mapKeys', column(name)) })),
    from,
    where,
    limit: sampledRows.keys,
  };
  const plan: Select = {
    columns: maps.map((_, index) => ({ as: `k${index}`, expr: firstOf(alias(`m${index}`)) })),
    from: { kind: 'select', select: rows },
    limit: 1,
  };
  return within(budget, finishPlan(plan, guards));
}

/** One row where an event of the range has the attribute, else none. */
export function compileHasAttribute(
  { range, maps, key }: { range: TimeRange; maps: readonly string[]; key: string },
  source: SourceSchema,
  guards: Guards,
  budget: ReadBudget,
): CompiledQuery {
  const { from, where } = readRows(source, range);
  const has = or(maps.map((map) => call('mapContains', column(map), textValue(key))));
  const plan: Select = { columns: [{ as: 'found', expr: constant(1) }], from, where: [...where, has], limit: 1 };
  return within(budget, finishPlan(plan, guards));
}

function firstOf(keys: SqlExpr): SqlExpr {
  const all = call('arraySort', call('groupUniqArrayArray', keys));
  return call('arrayResize', all, call('least', call('length', all), constant(keysMax)));
}

/** Columns `v` and `n` (rows of the sample), the most frequent first. Throws `QueryTextError` in `field` or `where`. */
export function compileFieldValues(
  query: ValuesQuery,
  source: SourceSchema,
  guards: Guards,
  budget: ReadBudget,
): CompiledQuery {
  const { from, where, scope } = readRows(source, query.range);
  const text = inText('field', () => fieldText(query.field, scope));
  const begins = call('startsWith', call('lowerUTF8', text), textValue(query.prefix.toLowerCase()));
  const filter = inText('where', () => compileWhere(query.where, query.whereLanguage, scope));
  const rows: Select = {
    columns: [{ as: 'v', expr: text }],
    from,
    where: [
      ...where,
      ...(filter === undefined ? [] : [filter]),
      binary(text, '!=', emptyText),
      ...(query.prefix === '' ? [] : [begins]),
    ],
    limit: sampledRows.values,
  };
  const plan: Select = {
    columns: [
      { as: 'v', expr: alias('v') },
      { as: 'n', expr: call('count') },
    ],
    from: { kind: 'select', select: rows },
    groupBy: [alias('v')],
    orderBy: [{ expr: alias('n'), descending: true }, { expr: alias('v') }],
    limit: query.limit,
  };
  return within(budget, finishPlan(plan, guards));
}

/** Columns as `planFacets` says. Throws `QueryTextError` in `where` or `fields.0`. */
export function compileFacets(
  query: FacetQuery,
  source: EventSourceSchema,
  guards: Guards,
  budget: ReadBudget,
): CompiledQuery {
  return within(budget, finishPlan(planFacets(query, source), guards));
}

/** One column `n`: the events of the range. */
export function compileEventCount(range: TimeRange, source: EventSourceSchema, guards: Guards): CompiledQuery {
  const compiled = finishPlan(planEventCount({ range }, source), guards);
  return { ...compiled, settings: { ...compiled.settings, timeout_overflow_mode: 'break' } };
}

/** Columns `name`, `unit` and `about` of the metrics in one table, by name. */
export function compileMetricNames(
  { range, limit }: { range: TimeRange; limit: number },
  source: MetricSourceSchema,
  guards: Guards,
  budget: ReadBudget,
): CompiledQuery {
  const { from, where } = readRows(source, range);
  const { columns } = from.table;
  if (!columns.has('MetricName')) throw new QueryTextError('the table of this source has no column MetricName');
  const text = (name: string): SqlExpr => (columns.has(name) ? call('toString', call('max', column(name))) : emptyText);
  const plan: Select = {
    columns: [
      { as: 'name', expr: call('toString', column('MetricName')) },
      { as: 'unit', expr: text('MetricUnit') },
      { as: 'about', expr: text('MetricDescription') },
    ],
    from,
    where,
    groupBy: [alias('name')],
    orderBy: [{ expr: alias('name') }],
    limit,
  };
  return within(budget, finishPlan(plan, guards));
}

/** Rows of one table of the source: of a metric source the only one that its schema holds. */
function readRows(source: SourceSchema, range: TimeRange): { from: TableRead; where: SqlExpr[]; scope: Scope } {
  if (source.kind !== 'metric') {
    const scope = scopeOf(source, source.table);
    return { ...readEvents(source, scope, range), scope };
  }
  const table = tableOfSchema(source);
  if (!table) throw new Error('a metric source without a table');
  const from: TableRead = { kind: 'table', table, bounds: boundTime(table, source, range) };
  return { from, where: [], scope: scopeOf(source, table) };
}

/** The engine stops reading when the budget or the time is used up, and answers what it has. */
function within({ rowsToRead, distinct }: ReadBudget, compiled: CompiledQuery): CompiledQuery {
  const settings = {
    ...compiled.settings,
    max_rows_to_read: rowsToRead,
    read_overflow_mode: 'break',
    timeout_overflow_mode: 'break',
    max_rows_to_group_by: distinct,
    group_by_overflow_mode: 'any',
  };
  return { ...compiled, settings };
}
