import type { LogSource, TraceSource } from '../../../../src/contract/source.ts';
import type { FilterField } from './where-clause.ts';

export type EventSource = LogSource | TraceSource;

/** What identifies a line of the list and what it usually shows. `time` is ISO 8601 with nanoseconds: numbers of JavaScript would round it. */
export interface EventRow {
  time: string;
  level: string;
  service: string;
  text: string;
  durationNs: number | undefined;
  traceId: string;
  spanId: string;
}

/** Answers' keys; long names keep clear of columns that people have. */
const keys = ['time', 'level', 'service', 'text', 'duration', 'traceId', 'spanId'] as const;
type Key = (typeof keys)[number];
const keyOf = (key: Key) => `sb_${key}`;

/** A source may order by several expressions; the last is the finest. */
export function timestampOf(source: EventSource): string {
  const shown = source.displayedTimestampValueExpression?.trim();
  return shown ? shown : (source.timestampValueExpression.split(',').at(-1)?.trim() ?? 'Timestamp');
}

/** Where a source has what every line shows; `undefined` where it does not say. */
export function standardExpressions(source: EventSource): Record<Key, string | undefined> {
  return {
    time: timestampOf(source),
    level: source.kind === 'log' ? source.severityTextExpression : source.statusCodeExpression,
    service: source.serviceNameExpression,
    text:
      source.kind === 'log' ? (source.bodyExpression ?? source.implicitColumnExpression) : source.spanNameExpression,
    duration: source.kind === 'trace' ? source.durationExpression : undefined,
    traceId: source.traceIdExpression,
    spanId: source.spanIdExpression,
  };
}

/** The `select` of a search that fills the list. */
export function selectOfRows(source: EventSource): string {
  const expressions = standardExpressions(source);
  return keys.flatMap((key) => (expressions[key] ? [`${expressions[key]} AS ${keyOf(key)}`] : [])).join(', ');
}

export function readRow(answer: Record<string, unknown>, source: EventSource): EventRow {
  const text = (key: Key) => textOf(answer[keyOf(key)]);
  const duration = text('duration');
  return {
    time: text('time'),
    level: text('level'),
    service: text('service'),
    text: text('text'),
    durationNs: duration === '' ? undefined : toNanoseconds(Number(duration), source),
    traceId: text('traceId'),
    spanId: text('spanId'),
  };
}

/** The columns of an answer that are not those of the list. */
export function withoutRowColumns(answer: Record<string, unknown>): Record<string, unknown> {
  const own = new Set<string>(keys.map(keyOf));
  return Object.fromEntries(Object.entries(answer).filter(([key]) => !own.has(key)));
}

/** `durationPrecision` says how many decimals of a second its unit is: 9 = nanoseconds, 3 = milliseconds. */
export function toNanoseconds(duration: number, source: EventSource): number {
  return source.kind === 'trace' ? duration * 10 ** (9 - source.durationPrecision) : duration;
}

/** What the list is coloured and counted by. */
export function levelExpression(source: EventSource): string | undefined {
  return standardExpressions(source).level;
}

/** Fields that are worth counting in every source of this kind. */
export function usualFacets(source: EventSource): FilterField[] {
  const { service, level } = standardExpressions(source);
  const rest = source.kind === 'trace' ? [source.spanNameExpression, source.spanKindExpression] : [];
  return [service, level, ...rest].flatMap((sql) => (sql ? [{ name: sql, sql, type: 'string' as const }] : []));
}

export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
