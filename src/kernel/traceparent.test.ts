import { expect, it } from 'vitest';
import { formatTraceparent, parseTraceparent } from './traceparent.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

it.each([`00-${traceId}-${spanId}-01`, `00-${traceId}-${spanId}-00`, `cc-${traceId}-${spanId}-01-what-is-to-come`])(
  '%s names a span',
  (text) => {
    expect(parseTraceparent(text)).toEqual({ traceId, spanId });
  },
);

it.each([
  '',
  'x',
  `00-${traceId}-${spanId}`,
  `00-${traceId}-${spanId}-01-more`,
  `ff-${traceId}-${spanId}-01`,
  `00-${'0'.repeat(32)}-${spanId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
  `00-${traceId}-${spanId}-01\n00-${traceId}-${spanId}-01`,
])('%j names none', (text) => {
  expect(parseTraceparent(text)).toBeUndefined();
});

it('a header that is missing or sent twice names none', () => {
  expect(parseTraceparent(undefined)).toBeUndefined();
  expect(parseTraceparent([`00-${traceId}-${spanId}-01`])).toBeUndefined();
});

it('what is written is what is read', () => {
  expect(parseTraceparent(formatTraceparent({ traceId, spanId }))).toEqual({ traceId, spanId });
});
