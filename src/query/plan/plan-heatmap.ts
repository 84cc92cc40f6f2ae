import { findAggregate } from '../aggregates/registry.ts';
import { compileAggregate } from '../compile-aggregate.ts';
import { compileConditions, compileField, compileWhere } from '../compile-text.ts';
import { inText } from '../compiled-query.ts';
import type { HeatmapQuery } from '../heatmap-query.ts';
import { asNumber } from '../lower/typed.ts';
import { type Scope, scopeOf } from '../schema/scope.ts';
import type { EventSourceSchema } from '../source-schema.ts';
import { planValueEdges } from './plan-value-edges.ts';
import { readEvents } from './read-events.ts';
import { sampleWeight } from './sample-weight.ts';
import type { Select, TableRead } from './select.ts';
import { alias, call, column, constant, type SqlExpr, sqlNull } from './sql-expr.ts';
import { eventBucket } from './time-buckets.ts';

/** The name of the scale with its edges, worked out before the cells are counted. */
const scaleName = 'value_scale';

/** What is read, twice: for the scale, and for the cells. */
interface Reading {
  from: TableRead;
  where: SqlExpr[];
  /** Float64; `where` leaves out the events that have none. */
  value: SqlExpr;
}

/** Columns as `compileHeatmap` says. */
export function planHeatmap(query: HeatmapQuery, source: EventSourceSchema): Select {
  const scope = scopeOf(source, source.table);
  const reading = read(query, source, scope);
  const part = (index: number) => call('tupleElement', alias(scaleName), constant(index));
  return {
    known: { as: scaleName, select: planValueEdges(reading, query.scale) },
    columns: [
      { as: 'logarithmic', expr: part(1) },
      { as: 'edges', expr: part(2) },
      ...['start', 'low', 'amount'].map((name) => ({ as: `${name}s`, expr: call('groupArray', alias(name)) })),
    ],
    from: { kind: 'select', select: planCells(query, source, scope, { ...reading, edges: part(2) }) },
    limit: 1,
  };
}

function planCells(
  query: HeatmapQuery,
  source: EventSourceSchema,
  scope: Scope,
  { from, where, value, edges }: Reading & { edges: SqlExpr },
): Select {
  return {
    columns: [
      { as: 'start', expr: eventBucket({ bucketOriginMs: 0, ...query }, source) },
      { as: 'low', expr: call('roundDown', value, edges) },
      { as: 'amount', expr: call('toFloat64', amountOf(query, source, scope)) },
    ],
    from,
    where,
    groupBy: [alias('start'), alias('low')],
  };
}

function read(query: HeatmapQuery, source: EventSourceSchema, scope: Scope): Reading {
  const { from, where } = readEvents(source, scope, query.range);
  const filter = inText('where', () => compileWhere(query.where, query.whereLanguage, scope));
  const number = inText('value', () => asNumber(compileField(query.value, scope)).sql);
  return {
    from,
    where: [
      ...where,
      ...compileConditions(query.conditions, scope),
      ...(filter === undefined ? [] : [filter]),
      call('isNotNull', number),
    ],
    value: call('assumeNotNull', call('toFloat64', number)),
  };
}

function amountOf({ count }: HeatmapQuery, source: EventSourceSchema, scope: Scope): SqlExpr {
  const weight = sampleWeight(source, scope);
  const input = { timestamp: column(source.timestampColumn), ...(weight === undefined ? {} : { weight }) };
  if (count?.trim()) return inText('count', () => compileAggregate(count, scope, input));
  const events = findAggregate('count');
  if (!events) throw new Error('there is no count');
  return events.build({ ...input, level: 0.5, levels: [0.5], value: { sql: sqlNull, base: 'other', nullable: true } });
}
