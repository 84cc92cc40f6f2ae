/** Which span of which trace, in lower-case hex of 32 and 16 digits. */
export interface SpanContext {
  traceId: string;
  spanId: string;
}

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

/** The value of a `traceparent` header (W3C Trace Context); `undefined` if it is invalid, which is not an error. */
export function parseTraceparent(text: string | string[] | undefined): SpanContext | undefined {
  if (typeof text !== 'string') return undefined;
  const [, version, traceId = '', spanId = '', more] = form.exec(text.trim()) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId };
}

/** Always sampled: whatever the program reports about itself, it keeps. */
export function formatTraceparent({ traceId, spanId }: SpanContext): string {
  return `00-${traceId}-${spanId}-01`;
}
