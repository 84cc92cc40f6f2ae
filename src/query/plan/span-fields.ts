import { compileField } from '../compile-text.ts';
import { inText, QueryTextError, spanFieldPath } from '../compiled-query.ts';
import { asNumber, asText } from '../lower/typed.ts';
import type { Scope } from '../schema/scope.ts';
import type { EventSourceSchema, SpanFields } from '../source-schema.ts';
import { call, constant, emptyText, type SqlExpr, textValue } from './sql-expr.ts';

type TextField = Exclude<keyof SpanFields, 'duration' | 'durationPrecision'>;

/** As collectors and SDKs write them, by text or by number. */
export const spanKindTexts = {
  internal: ['Internal', 'INTERNAL', 'internal', 'SPAN_KIND_INTERNAL', '1'],
  server: ['Server', 'SERVER', 'server', 'SPAN_KIND_SERVER', '2'],
  client: ['Client', 'CLIENT', 'client', 'SPAN_KIND_CLIENT', '3'],
  producer: ['Producer', 'PRODUCER', 'producer', 'SPAN_KIND_PRODUCER', '4'],
  consumer: ['Consumer', 'CONSUMER', 'consumer', 'SPAN_KIND_CONSUMER', '5'],
} as const;
const errors = ['Error', 'ERROR', 'error', 'STATUS_CODE_ERROR', '2'];

export type SpanKind = keyof typeof spanKindTexts;

/** A part of the span as text, never NULL. Throws `QueryTextError` for what the source does not have. */
export function spanText(field: TextField, { spans }: EventSourceSchema, scope: Scope): SqlExpr {
  const text = spans?.[field];
  const path = spanFieldPath(field);
  if (text === undefined) throw new QueryTextError('it must name a value', undefined, undefined, path);
  const { sql, nullable } = inText(path, () => asText(compileField(text, scope)));
  return nullable ? call('ifNull', sql, emptyText) : sql;
}

export function isOfKind(of: readonly SpanKind[], source: EventSourceSchema, scope: Scope): SqlExpr {
  return call('IN', spanText('kind', source, scope), ...of.flatMap((kind) => spanKindTexts[kind]).map(textValue));
}

/** Whether the span failed: never, where the source does not know. */
export function isFailed(source: EventSourceSchema, scope: Scope): SqlExpr {
  if (source.spans?.statusCode === undefined) return constant(0);
  return call('IN', spanText('statusCode', source, scope), ...errors.map(textValue));
}

/** As the source counts it; NULL where there is none. */
export function spanDuration({ spans }: EventSourceSchema, scope: Scope) {
  return inText(spanFieldPath('duration'), () => asNumber(compileField(spans?.duration ?? '', scope)));
}
