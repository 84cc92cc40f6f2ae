import type { ChartQuery, SeriesQuery } from '../chart-query.ts';
import { compileConditions, compileWhere } from '../compile-text.ts';
import { inText } from '../compiled-query.ts';
import { asNumber, type Typed } from '../lower/typed.ts';
import { boundTime } from '../passes/bound-time.ts';
import { planGroups } from '../plan/plan-groups.ts';
import type { OutputColumn, TableRead } from '../plan/select.ts';
import { alias, binary, call, column, constant, integerValue, type SqlExpr, textValue } from '../plan/sql-expr.ts';
import { bucketStart, unixMs } from '../plan/time-buckets.ts';
import { columnType } from '../schema/column-type.ts';
import { attributeSetColumn } from '../schema/metric-columns.ts';
import { type Scope, scopeOf } from '../schema/scope.ts';
import type { MetricKind, MetricSourceSchema, TableSchema } from '../source-schema.ts';

/** One read of one metric, for all series that ask for the same of its points with the same filter. */
export interface MetricScan {
  readonly query: ChartQuery;
  readonly source: MetricSourceSchema;
  readonly table: TableSchema;
  readonly name: string;
  readonly kind: MetricKind;
  /** The plan is right also where a set is more than one stream within reach (`streamPoints`). */
  readonly isCareful: boolean;
  readonly series: readonly { readonly index: number; readonly query: SeriesQuery }[];
}

/** OTLP's AggregationTemporality. */
const delta = 1;
const cumulative = 2;
const identityColumns = ['ServiceName', 'ScopeName', 'ScopeVersion'];

/** Reads the metric's points that have a value, from `lookBackMs` before the range to its end. */
export function readPoints(scan: MetricScan, lookBackMs: number): { from: TableRead; where: SqlExpr[] } {
  const { query, source, table } = scan;
  const range = { startMs: query.range.startMs - lookBackMs, endMs: query.range.endMs };
  const bounds = boundTime(table, { timestampColumn: source.timestampColumn }, range);
  return {
    from: { kind: 'table', table, bounds },
    where: [binary(column('MetricName'), '=', textValue(scan.name)), ...hasValue(table), ...filterOf(scan)],
  };
}

/** OTLP's flag for a point that only says that there is no value any more; its value is 0. */
const noRecordedValue = 1;

function hasValue({ columns }: TableSchema): SqlExpr[] {
  if (!columns.has('Flags')) return [];
  return [binary(call('bitAnd', column('Flags'), constant(noRecordedValue)), '=', constant(0))];
}

function filterOf({ query, source, table, series }: MetricScan): SqlExpr[] {
  const [first] = series;
  if (!first) return [];
  const scope = scopeOf(source, table);
  const { where, whereLanguage } = first.query;
  const filter = inText(`series.${first.index}.where`, () => compileWhere(where, whereLanguage, scope));
  return [...compileConditions(query.conditions, scope), ...(filter ? [filter] : [])];
}

/**
 * What the series calculate with, as a number: NULL of points that have none. `undefined` where it is the value itself.
 * Throws `QueryTextError` with the path of the text.
 */
export function compileMetricField(
  { series, source, table }: MetricScan,
  compile: (text: string, scope: Scope) => Typed,
): SqlExpr | undefined {
  const [first] = series;
  const { field } = first?.query ?? {};
  if (!first || field === undefined) return undefined;
  return inText(`series.${first.index}.field`, () => asNumber(compile(field, scopeOf(source, table))).sql);
}

interface PointColumns {
  /** `ts`, where the point's time is not known by a name yet. */
  readonly bucket: OutputColumn;
  readonly groups: readonly OutputColumn[];
  /** `attribute_set`: with the groups what makes a point belong to one time series. */
  readonly set: OutputColumn;
}

export function pointColumns(scan: MetricScan): PointColumns {
  const { query, source, table } = scan;
  return {
    bucket: { as: 'ts', expr: bucketStart(query, unixMs(table, source.timestampColumn)) },
    groups: planGroups(query, scopeOf(source, table)),
    set: { as: 'attribute_set', expr: attributeSet(scan) },
  };
}

/**
 * A hash of service, scope and all attributes; the order in which a sender wrote attributes makes no difference. Where
 * the table keeps this hash for each point, the maps need not be read: they are nine tenths of what a point takes.
 */
export function attributeSet({ source, table }: Pick<MetricScan, 'source' | 'table'>): SqlExpr {
  const plain = identityColumns.filter((name) => table.columns.has(name));
  const maps = source.attributeColumns.filter((name) => columnType(table.columns.get(name) ?? '').base === 'map');
  const text = `cityHash64(${[...plain, ...maps.map((name) => `mapSort(${name})`)].join(', ')})`;
  if (table.defaults?.get(attributeSetColumn) === text) return column(attributeSetColumn);
  return call('cityHash64', ...plain.map(column), ...maps.map((name) => call('mapSort', column(name))));
}

/** Whether it says the same of all points of an attribute set. */
export function isOfSet(expr: SqlExpr, { source }: Pick<MetricScan, 'source'>): boolean {
  switch (expr.kind) {
    case 'column':
      return identityColumns.includes(expr.name);
    case 'attribute':
      return expr.attribute.maps.every((map) => source.attributeColumns.includes(map));
    case 'call':
      return expr.args.every((arg) => isOfSet(arg, { source }));
    case 'value':
    case 'word':
    case 'number':
      return true;
    default:
      return false;
  }
}

/** `at`, for `isInRange`. */
export function pointTime({ source, table }: MetricScan): OutputColumn {
  return { as: 'at', expr: unixMs(table, source.timestampColumn) };
}

/** `ts` of a point, by its `at`: what is worked out before points are sorted is carried along. */
export function bucketOfPoint({ query }: MetricScan): OutputColumn {
  return { as: 'ts', expr: bucketStart(query, alias('at')) };
}

/** Points before the range are only looked back at. */
export function isInRange({ query }: MetricScan): SqlExpr {
  return binary(alias('at'), '>=', integerValue(query.range.startMs));
}

export function isDelta({ table }: MetricScan): SqlExpr {
  return binary(temporality(table), '=', constant(delta));
}

/** Summaries have none: they are cumulative by definition. */
export function temporality(table: TableSchema): SqlExpr {
  return table.columns.has('AggregationTemporality') ? column('AggregationTemporality') : constant(cumulative);
}
