import { compileWhere } from '../compile-text.ts';
import { inText } from '../compiled-query.ts';
import { type Scope, scopeOf } from '../schema/scope.ts';
import type { ServiceErrorsQuery } from '../services-query.ts';
import type { EventSourceSchema } from '../source-schema.ts';
import { readEvents } from './read-events.ts';
import { sampleWeight } from './sample-weight.ts';
import { type Select, sameColumn } from './select.ts';
import { attributeText, firstText } from './span-attributes.ts';
import { isFailed, spanText } from './span-fields.ts';
import { alias, binary, call, column, constant, or, type SqlExpr, textValue } from './sql-expr.ts';

/** Columns as `compileServiceErrors` says. */
export function planServiceErrors(query: ServiceErrorsQuery, source: EventSourceSchema): Select {
  const weight = sampleWeight(source, scopeOf(source, source.table));
  const last = (name: string): SqlExpr => call('argMax', alias(name), alias('at'));
  const ms = (of: string): SqlExpr => call('toUnixTimestamp64Milli', call(of, alias('at')));
  return {
    columns: [
      sameColumn('type'),
      { as: 'last_message', expr: last('message') },
      { as: 'last_trace_id', expr: last('trace_id') },
      { as: 'spans', expr: weight === undefined ? call('count') : call('sum', alias('weight')) },
      { as: 'traces', expr: call('uniqExact', alias('trace_id')) },
      { as: 'first_ms', expr: ms('min') },
      { as: 'last_ms', expr: ms('max') },
    ],
    from: { kind: 'select', select: failedSpans(query, source, weight) },
    groupBy: [alias('type')],
    orderBy: [{ expr: alias('spans'), descending: true }, { expr: alias('type') }],
    limit: query.rowsMax,
  };
}

function failedSpans(query: ServiceErrorsQuery, source: EventSourceSchema, weight: SqlExpr | undefined): Select {
  const scope = scopeOf(source, source.table);
  const { from, where } = readEvents(source, scope, query.range);
  const filter = inText('where', () => compileWhere(query.where, query.whereLanguage, scope));
  const exception = exceptionOf(scope);
  const isOfService = binary(spanText('service', source, scope), '=', textValue(query.service));
  const statusMessage = source.spans?.statusMessage === undefined ? [] : [spanText('statusMessage', source, scope)];
  const cut = (text: SqlExpr): SqlExpr => call('substringUTF8', text, constant(1), constant(query.messageMax));
  const own = (key: string): SqlExpr[] => attributeText(key, scope);
  return {
    columns: [
      { as: 'at', expr: call('toDateTime64', column(source.timestampColumn), constant(9)) },
      { as: 'trace_id', expr: spanText('traceId', source, scope) },
      {
        as: 'type',
        expr: cut(firstText([...exception('type'), ...own('exception.type'), ...own('error.type'), ...statusMessage])),
      },
      { as: 'message', expr: cut(firstText([...exception('message'), ...own('exception.message'), ...statusMessage])) },
      ...(weight === undefined ? [] : [{ as: 'weight', expr: weight }]),
    ],
    from,
    where: [
      ...where,
      isOfService,
      ...(filter === undefined ? [] : [filter]),
      or([isFailed(source, scope), ...hasException(scope)]),
    ],
  };
}

const eventNames = 'Events.Name';
const eventAttributes = 'Events.Attributes';
const exceptionEvent = textValue('exception');

/** Events of spans, where the table has them as the exporter writes them. */
function hasEvents({ table: { columns } }: Scope): boolean {
  return (
    /^Array\((?:LowCardinality\()?String\b/.test(columns.get(eventNames) ?? '') &&
    /^Array\(Map\(/.test(columns.get(eventAttributes) ?? '')
  );
}

function hasException(scope: Scope): SqlExpr[] {
  return hasEvents(scope) ? [call('has', column(eventNames), exceptionEvent)] : [];
}

/** A part of the first exception that the span recorded; '' without one. */
function exceptionOf(scope: Scope): (part: 'type' | 'message') => SqlExpr[] {
  if (!hasEvents(scope)) return () => [];
  const place = call('indexOf', column(eventNames), exceptionEvent);
  const attributes = call('arrayElement', column(eventAttributes), place);
  return (part) => [call('arrayElement', attributes, textValue(`exception.${part}`))];
}
