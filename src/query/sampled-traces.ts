import { calledSystemKeys } from './plan/called-system.ts';
import { type SpanKind, spanKindTexts } from './plan/span-fields.ts';
import type { EventSourceSchema } from './source-schema.ts';

/** Maps of very many spans are read from one in so many traces, whole ones, chosen by their id. */
export const sampledTraceOf = 16;

/** Columns of the program's own table of spans, all empty outside of the sample, so that they are small and quick to read. */
export const sampledColumns = {
  /** The span within its trace as one number. */
  span: '__sampled_span',
  /** Its parent; 0 without one. */
  parent: '__sampled_parent',
  /** Of a client, producer or consumer what is on the other side: its kind, a space, its name. */
  system: '__sampled_system',
} as const;

/** What fills each of them, as SQL over the exporter's columns. */
export function sampledColumnSql(): Record<keyof typeof sampledColumns, string> {
  const isSampled = `cityHash64(TraceId) % ${sampledTraceOf} = 0`;
  const kinds = (['client', 'producer', 'consumer'] satisfies SpanKind[]).flatMap((kind) => spanKindTexts[kind]);
  return {
    span: `if(${isSampled}, cityHash64(TraceId, SpanId), 0)`,
    parent: `if((${isSampled}) AND (ParentSpanId != ''), cityHash64(TraceId, ParentSpanId), 0)`,
    system: `if((${isSampled}) AND (SpanKind IN (${kinds.map((kind) => `'${kind}'`).join(', ')})), ${systemSql()}, '')`,
  };
}

/** Whether a map can be read from its sample: the table has the columns, and the source reads what they were made of. */
export function hasSampledTraces({ table, spans, attributeColumns }: EventSourceSchema): boolean {
  const filled = new Set(table.materialized?.values() ?? []);
  const { traceId, spanId, parentSpanId, kind } = spans ?? {};
  const isPlain =
    traceId === 'TraceId' && spanId === 'SpanId' && parentSpanId === 'ParentSpanId' && kind === 'SpanKind';
  return (
    isPlain &&
    attributeColumns[0] === 'SpanAttributes' &&
    Object.values(sampledColumns).every((name) => filled.has(name))
  );
}

/** As `calledSystem` says, in one text. */
function systemSql(): string {
  const texts = (of: keyof typeof calledSystemKeys) => calledSystemKeys[of].map((key) => `SpanAttributes['${key}']`);
  const hosts = texts('url').map((url) => `domain(${url})`);
  const messaging = firstSql(texts('messaging'));
  const database = firstSql(texts('database'));
  const [peer, address] = [texts('peer'), texts('address')];
  const named = (system: string, parts: readonly string[]) =>
    `if(${firstSql(parts)} != '', concat(${system}, ' ', ${firstSql(parts)}), ${system})`;
  const cases = [
    [`${messaging} != ''`, `concat('messaging ', ${named(messaging, [...texts('destination'), ...address])})`],
    [
      `${database} != ''`,
      `concat('database ', if(${firstSql(peer)} != '', ${firstSql(peer)}, ${named(database, [...texts('namespace'), ...address])}))`,
    ],
  ];
  const other = firstSql([...peer, ...address, ...texts('host'), ...hosts, ...texts('rpc')]);
  return `multiIf(${cases.flat().join(', ')}, concat('external ', ${other}))`;
}

/** The first that is not ''. */
function firstSql(texts: readonly string[]): string {
  return texts.length === 1 ? (texts[0] ?? "''") : `arrayFirst(text -> text != '', [${texts.join(', ')}])`;
}
