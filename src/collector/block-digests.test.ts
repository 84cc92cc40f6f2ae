import { describe, expect, it } from 'vitest';
import { Arrival } from './decode/arrival.ts';
import { decodeExport } from './decode-export.ts';
import type { Signal } from './signal.ts';
import { arrivalMs } from './testing/decoders.ts';
import { encodeRequest, int64 } from './testing/otlp-oracle.ts';

const hourMs = 3_600_000;
const time = String(BigInt(arrivalMs) * 1_000_000n);
const ids = { traceId: '5b8efff798038103d269b633813fc60c', spanId: 'eee19b7ec3c1b174' };

const requestOf: Readonly<Record<Signal, (time: string | undefined) => object>> = {
  logs: (timeUnixNano) => ({
    resourceLogs: [{ scopeLogs: [{ logRecords: [{ timeUnixNano: time }, { timeUnixNano }] }] }],
  }),
  traces: (startTimeUnixNano) => ({
    resourceSpans: [
      {
        scopeSpans: [
          {
            spans: [
              { ...ids, startTimeUnixNano: time },
              { ...ids, startTimeUnixNano },
            ],
          },
        ],
      },
    ],
  }),
  metrics: (timeUnixNano) => ({
    resourceMetrics: [
      {
        scopeMetrics: [
          {
            metrics: [
              {
                name: 'm',
                gauge: {
                  dataPoints: [
                    { timeUnixNano: time, asInt: '1' },
                    { timeUnixNano, asInt: '1' },
                  ],
                },
              },
            ],
          },
        ],
      },
    ],
  }),
};

/** As it arrives after so many hours. */
function digestsOf(signal: Signal, request: object, hours = 0): (string | undefined)[] {
  const arrival = new Arrival(arrivalMs + hours * hourMs);
  const payload = Buffer.from(JSON.stringify(request));
  return decodeExport(signal, 'json', payload, arrival).blocks.map(({ digest }) => digest);
}

describe.each<Signal>(['logs', 'traces', 'metrics'])('the digest of the rows of %s', (signal) => {
  it('is the same when the request comes again, and another for other rows', () => {
    const request = requestOf[signal](time);
    const digests = digestsOf(signal, request);
    expect(digests).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
    expect(digestsOf(signal, request, 1)).toEqual(digests);
    expect(digestsOf(signal, requestOf[signal](`${time.slice(0, -1)}1`))).not.toEqual(digests);
  });

  it('does not exist if one of them got the time of its arrival', () => {
    expect(digestsOf(signal, requestOf[signal](undefined))).toEqual([undefined]);
    expect(digestsOf(signal, requestOf[signal](time))).toEqual([expect.any(String)]);
  });
});

it('does not depend on the encoding of the request', () => {
  const logRecords = [{ timeUnixNano: int64(BigInt(time)) }, { timeUnixNano: int64(BigInt(time)) }];
  const protobuf = encodeRequest('logs', { resourceLogs: [{ scopeLogs: [{ logRecords }] }] });
  const { blocks } = decodeExport('logs', 'protobuf', protobuf, new Arrival(arrivalMs));
  expect(blocks.map(({ digest }) => digest)).toEqual(digestsOf('logs', requestOf.logs(time)));
});
