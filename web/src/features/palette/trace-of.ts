export interface TracePlace {
  traceId: string;
  spanId?: string;
}

/** The trace that pasted text names: its id, or a `traceparent` header. */
export function traceOf(text: string): TracePlace | undefined {
  const pasted = text.trim().toLowerCase();
  if (/^[0-9a-f]{32}$/.test(pasted)) return { traceId: pasted };
  const header = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/.exec(pasted);
  const [, traceId, spanId] = header ?? [];
  return traceId && spanId ? { traceId, spanId } : undefined;
}
