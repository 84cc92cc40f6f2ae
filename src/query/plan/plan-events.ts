import type { AggregateInput } from '../aggregates/aggregate.ts';
import { findAggregate } from '../aggregates/registry.ts';
import type { ChartQuery, SeriesQuery } from '../chart-query.ts';
import { compileAggregates } from '../compile-aggregate.ts';
import { compileConditions, compileField, compileWhere } from '../compile-text.ts';
import { inText, QueryTextError } from '../compiled-query.ts';
import type { Typed } from '../lower/typed.ts';
import { type Scope, scopeOf } from '../schema/scope.ts';
import type { EventSourceSchema } from '../source-schema.ts';
import { bucketAndGroup, planGroups } from './plan-groups.ts';
import { readEvents } from './read-events.ts';
import { sampleWeight } from './sample-weight.ts';
import type { OutputColumn, Select } from './select.ts';
import { call, column, or, type SqlExpr, sqlNull } from './sql-expr.ts';
import { eventBucket } from './time-buckets.ts';

/** All series of a log or trace source in one scan (decisions C4): columns `ts`, `g…`, then `n…` and `v…` per series. */
export function planEvents(query: ChartQuery, source: EventSourceSchema): Select {
  const scope = scopeOf(source, source.table);
  const { from, where } = readEvents(source, scope, query.range);
  const filters = planFilters(query, scope);
  const conditions = compileConditions(query.conditions, scope);
  const groups = planGroups(query, scope);
  const series = query.series.flatMap((each, index) =>
    planSeries(each, index, query.series, source, scope, filters.perSeries[index]),
  );
  return {
    columns: [{ as: 'ts', expr: eventBucket(query, source) }, ...groups, ...series],
    from,
    where: [...where, ...conditions, ...filters.where],
    groupBy: bucketAndGroup(groups),
  };
}

interface Filters {
  where: SqlExpr[];
  /** Conditions of series that differ in their filter; `undefined` = WHERE says it, or all rows. */
  perSeries: readonly (SqlExpr | undefined)[];
}

/** The engine takes ever longer to plan a longer OR, and rows that meet none of so many filters are few. */
const filtersInWhereMax = 8;

/** Equal filters go to WHERE, where indexes serve them; else WHERE holds their OR and each aggregate its own. */
function planFilters(query: ChartQuery, scope: Scope): Filters {
  const conditions = query.series.map(({ where, whereLanguage }, index) =>
    inText(`series.${index}.where`, () => compileWhere(where, whereLanguage, scope)),
  );
  const keys = new Set(query.series.map(({ where, whereLanguage }) => `${whereLanguage} ${where.trim()}`));
  const [first] = conditions;
  if (keys.size === 1) return { where: first === undefined ? [] : [first], perSeries: [] };
  const present = conditions.filter((condition) => condition !== undefined);
  // A group without rows of any series would count as one, so with groups the OR stays.
  const worthwhile = keys.size <= filtersInWhereMax || query.groupBy.length > 0;
  const narrowed = worthwhile && present.length === conditions.length;
  return { where: narrowed ? [or(present)] : [], perSeries: conditions };
}

function planSeries(
  series: SeriesQuery,
  index: number,
  all: readonly SeriesQuery[],
  source: EventSourceSchema,
  scope: Scope,
  condition: SqlExpr | undefined,
): OutputColumn[] {
  if (series.metric)
    throw new QueryTextError('only metric sources have metrics', undefined, undefined, `series.${index}.metricName`);
  const rows = condition === undefined ? call('count') : call('countIf', condition);
  const weight = sampleWeight(source, scope);
  const common = {
    timestamp: column(source.timestampColumn),
    ...(condition === undefined ? {} : { condition }),
    ...(weight === undefined ? {} : { weight }),
  };
  if (series.aggregate === 'expression') {
    const text = textOf(series, index);
    const expression = inText(`series.${index}.field`, () => compileAggregates(text, scope, common));
    return seriesColumns(index, rows, expression);
  }
  const aggregate = findAggregate(series.aggregate);
  if (!aggregate)
    throw new QueryTextError(
      `${series.aggregate} needs a metric source`,
      undefined,
      undefined,
      `series.${index}.aggFn`,
    );
  const input: AggregateInput = {
    ...common,
    value: aggregate.needsField ? fieldOf(series, index, scope) : { sql: sqlNull, base: 'other', nullable: true },
    level: levelOf(series),
    levels: levelsOf(series, all),
  };
  const value = inText(`series.${index}.field`, () => aggregate.build(input));
  return seriesColumns(index, rows, value);
}

function seriesColumns(index: number, rows: SqlExpr, value: SqlExpr): OutputColumn[] {
  return [
    { as: `n${index}`, expr: rows },
    { as: `v${index}`, expr: call('toNullable', call('toFloat64', value)) },
  ];
}

function levelOf({ level = 0.5 }: SeriesQuery): number {
  return level;
}

/** Of all series that look at the values that this one looks at. */
function levelsOf(series: SeriesQuery, all: readonly SeriesQuery[]): number[] {
  const { aggregate, field, where, whereLanguage } = series;
  const alike = all.filter(
    (each) =>
      each.aggregate === aggregate &&
      each.field === field &&
      each.where === where &&
      each.whereLanguage === whereLanguage,
  );
  return [...new Set(alike.map(levelOf))];
}

function fieldOf(series: SeriesQuery, index: number, scope: Scope): Typed {
  const field = textOf(series, index);
  return inText(`series.${index}.field`, () => compileField(field, scope));
}

function textOf({ field, aggregate }: SeriesQuery, index: number): string {
  const where = `series.${index}.field`;
  if (field === undefined || field.trim() === '') {
    throw new QueryTextError(
      `${aggregate} needs a field: name the column or attribute to aggregate`,
      undefined,
      undefined,
      where,
    );
  }
  return field;
}
