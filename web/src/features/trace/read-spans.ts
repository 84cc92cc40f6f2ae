import type { TraceSource } from '../../../../src/contract/source.ts';
import { textOf, timestampOf, toNanoseconds } from '../search/event-columns.ts';
import { instantNs } from '../search/event-text.ts';
import type { Span, SpanEvent } from './span-tree.ts';

const eventColumns = ['Events.Timestamp', 'Events.Name', 'Events.Attributes'] as const;

/** The `select` of a search for spans; `columns` are those that the table has. */
export function selectOfSpans(source: TraceSource, columns: ReadonlySet<string>): string {
  const named: [string | undefined, string][] = [
    [timestampOf(source), 'sb_time'],
    [source.spanIdExpression, 'sb_spanId'],
    [source.parentSpanIdExpression, 'sb_parentSpanId'],
    [source.spanNameExpression, 'sb_name'],
    [source.spanKindExpression, 'sb_kind'],
    [source.durationExpression, 'sb_duration'],
    [source.serviceNameExpression, 'sb_service'],
    [source.statusCodeExpression, 'sb_status'],
    [source.statusMessageExpression, 'sb_statusMessage'],
  ];
  const attributes = [source.eventAttributesExpression, source.resourceAttributesExpression].filter(Boolean);
  const events = eventColumns.every((name) => columns.has(name)) ? eventColumns.map((name) => `\`${name}\``) : [];
  return [...named.flatMap(([sql, key]) => (sql ? [`${sql} AS ${key}`] : [])), ...attributes, ...events].join(', ');
}

/** Rows of a search as spans; times count from the earliest start, so that numbers hold every nanosecond. */
export function readSpans(rows: readonly Record<string, unknown>[], source: TraceSource): Span[] {
  const starts = rows.map((row) => instantNs(textOf(row.sb_time)) ?? 0n);
  // biome-ignore lint/complexity/useMathMinMax: Math.min knows no bigint
  const first = starts.reduce((least, at) => (at < least ? at : least), starts[0] ?? 0n);
  return rows.map((row, index) => {
    const text = (key: string) => textOf(row[`sb_${key}`]);
    return {
      spanId: text('spanId'),
      parentSpanId: /^0*$/.test(text('parentSpanId')) ? '' : text('parentSpanId'),
      name: text('name'),
      kind: text('kind'),
      service: text('service'),
      status: text('status'),
      statusMessage: text('statusMessage'),
      time: text('time'),
      startNs: Number((starts[index] ?? 0n) - first),
      durationNs: toNanoseconds(Number(text('duration')) || 0, source),
      events: readEvents(row, first),
      attributes: attributesOf(row),
    };
  });
}

function readEvents(row: Record<string, unknown>, first: bigint): SpanEvent[] {
  const list = (name: string) => (Array.isArray(row[name]) ? row[name] : []);
  const [times, names, attributes] = eventColumns.map(list);
  return (names ?? []).map((name, index) => ({
    name: textOf(name),
    atNs: Number((instantNs(textOf(times?.[index])) ?? first) - first),
    attributes: isRecord(attributes?.[index]) ? attributes[index] : {},
  }));
}

function attributesOf(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).filter(([key]) => !key.startsWith('sb_') && !key.startsWith('Events.')),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
