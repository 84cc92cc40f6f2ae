import { describe, expect, it } from 'vitest';
import { decodeExport } from '../decode-export.ts';
import type { Signal } from '../signal.ts';
import { Arrival } from './arrival.ts';

const nowMs = Date.UTC(2026, 5, 1);
const dayMs = 86_400_000;
const nano = (unixMs: number) => String(BigInt(unixMs) * 1_000_000n);
const ids = { traceId: '5b8efff798038103d269b633813fc60c', spanId: 'eee19b7ec3c1b174' };

const requests: Record<Signal, (unixMs: number) => object> = {
  logs: (at) => ({ resourceLogs: [{ scopeLogs: [{ logRecords: [{ timeUnixNano: nano(at) }] }] }] }),
  traces: (at) => ({
    resourceSpans: [
      { scopeSpans: [{ spans: [{ ...ids, startTimeUnixNano: nano(at), endTimeUnixNano: nano(at + 1) }] }] },
    ],
  }),
  metrics: (at) => {
    // The start of a counter may be as old as its process.
    const dataPoints = [{ timeUnixNano: nano(at), startTimeUnixNano: nano(Math.max(0, at - 100 * dayMs)), asInt: 1 }];
    return { resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'm', sum: { dataPoints } }] }] }] };
  },
};

describe.each(['logs', 'traces', 'metrics'] as const)('%s', (signal) => {
  const decode = (unixMs: number) =>
    decodeExport(signal, 'json', Buffer.from(JSON.stringify(requests[signal](unixMs))), new Arrival(nowMs, 30));

  it.each([
    ['now', nowMs],
    ['when the retention begins', nowMs - 30 * dayMs],
    ['a day ahead', nowMs + dayMs],
  ])('of a time %s are stored', (_, unixMs) => {
    expect(decode(unixMs)).toMatchObject({ accepted: 1, rejected: 0, message: undefined });
  });

  it.each([
    ['before the retention', nowMs - 30 * dayMs - 1, '1 × a time is older than the 30 days that are kept'],
    ['in milliseconds where nanoseconds belong', nowMs / 1e6, '1 × a time is older than the 30 days that are kept'],
    ['further ahead', nowMs + dayMs + 1, '1 × a time is more than a day ahead of the clock here'],
    ['beyond all', 5_000_000_000_000, '1 × a time is at most 2106-02-07T06:28:15Z'],
  ])('of a time %s are rejected', (_, unixMs, message) => {
    expect(decode(Math.floor(unixMs))).toMatchObject({ accepted: 0, rejected: 1, message });
  });
});
