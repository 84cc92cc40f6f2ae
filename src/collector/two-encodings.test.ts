import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeJson, decodeProtobuf, rowsOf, signals } from './testing/decoders.ts';
import { encodeRequest } from './testing/otlp-oracle.ts';
import { type Plain, randomRequest, toJson, toOracle } from './testing/random-requests.ts';
import { referenceRows } from './testing/reference-rows.ts';

function protobufOf(signal: (typeof signals)[number], request: Plain): Buffer {
  return encodeRequest(signal, Object(toOracle(request)));
}

describe.each(signals)('any %s request', (signal) => {
  it('becomes the rows that a plain mapping of its objects gives; the rest is counted as rejected', () => {
    fc.assert(
      fc.property(randomRequest(signal), (request) => {
        const decoded = decodeProtobuf(signal, protobufOf(signal, request));
        const { tables, rejected, changed } = referenceRows(signal, request);
        expect(rowsOf(decoded)).toEqual(tables);
        expect(decoded.rejected).toBe(rejected);
        expect(decoded.accepted).toBe(Object.values(tables).flat().length);
        expect(decoded.message === undefined).toBe(rejected + changed === 0);
      }),
      { numRuns: 60 },
    );
  });

  it('becomes byte for byte the same blocks from protobuf and from JSON', () => {
    fc.assert(
      fc.property(randomRequest(signal), (request) => {
        const json = JSON.parse(JSON.stringify(toJson(request)));
        expect(decodeJson(signal, json)).toEqual(decodeProtobuf(signal, protobufOf(signal, request)));
      }),
      { numRuns: 60 },
    );
  });
});
