import type { TimeRange } from '../chart-query.ts';
import { compileWhere } from '../compile-text.ts';
import { inText } from '../compiled-query.ts';
import { sampledColumns } from '../sampled-traces.ts';
import { type Scope, scopeOf } from '../schema/scope.ts';
import type { ServiceMapQuery } from '../services-query.ts';
import type { EventSourceSchema } from '../source-schema.ts';
import { calledColumns, calledSystem } from './called-system.ts';
import { readEvents } from './read-events.ts';
import { sampleWeight } from './sample-weight.ts';
import { type OutputColumn, type Select, sameColumn } from './select.ts';
import { isFailed, isOfKind, type SpanKind, spanDuration, spanText } from './span-fields.ts';
import { spanMeasures } from './span-measures.ts';
import { alias, binary, call, column, constant, emptyText, not, type SqlExpr, word } from './sql-expr.ts';

/** What calls elsewhere: of these, the one that has none of them below it is the call. */
const outgoing = ['client', 'producer'] as const;

/** Columns as `compileCalls` says. */
export function planCalls(query: ServiceMapQuery, source: EventSourceSchema): Select {
  const scope = scopeOf(source, source.table);
  const { from, where } = readEvents(source, scope, query.range);
  const callers: Select = {
    columns: [
      { as: 'caller_key', expr: spanKey(query, source, scope) },
      { as: 'caller', expr: spanText('service', source, scope) },
    ],
    from,
    where: [...where, ...inSample(query), not(isOfKind(['internal'], source, scope))],
  };
  return {
    columns: [sameColumn('caller'), sameColumn('callee'), ...measuresOfAliases(source)],
    from: {
      kind: 'join',
      left: { select: callers, key: 'caller_key' },
      right: { select: arrivedCalls(query, source, scope), key: 'callee_key' },
    },
    where: [binary(alias('caller'), '!=', alias('callee'))],
    groupBy: [alias('caller'), alias('callee')],
    orderBy: [
      { expr: alias('calls'), descending: true },
      ...['caller', 'callee'].map((name) => ({ expr: alias(name) })),
    ],
    limit: query.rowsMax,
  };
}

function arrivedCalls(query: ServiceMapQuery, source: EventSourceSchema, scope: Scope): Select {
  const { from, where } = readEvents(source, scope, around(query));
  const kinds = ['internal', ...outgoing, 'consumer'] as const;
  return {
    columns: [
      { as: 'callee_key', expr: parentKey(query, source, scope) },
      { as: 'callee', expr: spanText('service', source, scope) },
      ...measuredColumns(source, scope),
    ],
    from,
    where: [...where, ...filterOf(query, scope), not(isOfKind(kinds, source, scope)), hasParent(query, source, scope)],
  };
}

/** Columns as `compileOutsideCalls` says. */
export function planOutsideCalls(
  query: ServiceMapQuery,
  direction: 'outgoing' | 'incoming',
  source: EventSourceSchema,
): Select {
  const scope = scopeOf(source, source.table);
  const { from, where } = readEvents(source, scope, query.range);
  const kinds: readonly SpanKind[] = direction === 'outgoing' ? outgoing : ['consumer'];
  const { kind, name } = query.isSampled ? sampledSystem() : calledSystem();
  const calls: Select = {
    columns: [
      { as: 'service', expr: spanText('service', source, scope) },
      ...(query.isSampled ? [{ as: 'system', expr: column(sampledColumns.system) }] : calledColumns(scope)),
      ...measuredColumns(source, scope),
    ],
    from,
    where: [...where, ...inSample(query), isOfKind(kinds, source, scope), ...filterOf(query, scope)],
    ...(direction === 'outgoing' && {
      noneOf: { item: spanKey(query, source, scope), select: callsBelow(query, source, scope) },
    }),
  };
  const groups = ['service', 'system_kind', 'system_name'];
  return {
    columns: [
      sameColumn('service'),
      { as: 'system_kind', expr: kind },
      { as: 'system_name', expr: name },
      ...measuresOfAliases(source),
    ],
    from: { kind: 'select', select: calls },
    groupBy: groups.map(alias),
    orderBy: [{ expr: alias('calls'), descending: true }, ...groups.map((each) => ({ expr: alias(each) }))],
    limit: query.rowsMax,
  };
}

/** The callers of calls that arrived, and of those that are made below others. */
function callsBelow(query: ServiceMapQuery, source: EventSourceSchema, scope: Scope): Select {
  const { from, where } = readEvents(source, scope, around(query));
  return {
    columns: [{ as: 'called_by', expr: parentKey(query, source, scope) }],
    from,
    where: [...where, not(isOfKind(['internal', 'consumer'], source, scope)), hasParent(query, source, scope)],
  };
}

/** Where the spans begin whose callers begin within the range. */
function around({ range: { startMs, endMs }, beforeMs, afterMs }: ServiceMapQuery): TimeRange {
  return { startMs: startMs - beforeMs, endMs: endMs + afterMs };
}

function filterOf({ where, whereLanguage }: ServiceMapQuery, scope: Scope): SqlExpr[] {
  const filter = inText('where', () => compileWhere(where, whereLanguage, scope));
  return filter === undefined ? [] : [filter];
}

function inSample({ isSampled }: ServiceMapQuery): SqlExpr[] {
  return isSampled ? [binary(column(sampledColumns.span), '!=', constant(0))] : [];
}

/** Within the sample, if there is one. */
function hasParent({ isSampled }: ServiceMapQuery, source: EventSourceSchema, scope: Scope): SqlExpr {
  if (isSampled) return binary(column(sampledColumns.parent), '!=', constant(0));
  return binary(spanText('parentSpanId', source, scope), '!=', emptyText);
}

function spanKey({ isSampled }: ServiceMapQuery, source: EventSourceSchema, scope: Scope): SqlExpr {
  return isSampled ? column(sampledColumns.span) : keyOf('spanId', source, scope);
}

function parentKey({ isSampled }: ServiceMapQuery, source: EventSourceSchema, scope: Scope): SqlExpr {
  return isSampled ? column(sampledColumns.parent) : keyOf('parentSpanId', source, scope);
}

/** A span within its trace, as one number: joined much faster than two texts, and unique but for 1 in 10⁹ maps. */
function keyOf(id: 'spanId' | 'parentSpanId', source: EventSourceSchema, scope: Scope): SqlExpr {
  return call('cityHash64', spanText('traceId', source, scope), spanText(id, source, scope));
}

/** As `calledSystem`, of the one text that the sample has. */
function sampledSystem(): ReturnType<typeof calledSystem> {
  const space = call('position', alias('system'), word(' '));
  return {
    kind: call('substring', alias('system'), constant(1), binary(space, '-', constant(1))),
    name: call('substring', alias('system'), binary(space, '+', constant(1))),
  };
}

function measuredColumns(source: EventSourceSchema, scope: Scope): OutputColumn[] {
  const weight = sampleWeight(source, scope);
  return [
    { as: 'duration', expr: spanDuration(source, scope).sql },
    { as: 'failed', expr: isFailed(source, scope) },
    ...(weight === undefined ? [] : [{ as: 'weight', expr: weight }]),
  ];
}

function measuresOfAliases(source: EventSourceSchema): OutputColumn[] {
  const { nullable } = spanDuration(source, scopeOf(source, source.table));
  return spanMeasures({
    prefix: '',
    // A number already.
    duration: { sql: alias('duration'), base: 'integer', nullable },
    failed: alias('failed'),
    weight: source.sampleRate === undefined ? undefined : alias('weight'),
    condition: undefined,
  });
}
