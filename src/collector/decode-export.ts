import type { Arrival } from './decode/arrival.ts';
import type { DecodedRequest, RequestDecoder } from './decode/decoded-request.ts';
import { jsonToProtobuf } from './json/json-to-protobuf.ts';
import { LogDecoder } from './logs/log-decoder.ts';
import { MetricDecoder } from './metrics/metric-decoder.ts';
import { Rejections } from './rejections.ts';
import type { Signal } from './signal.ts';
import { SpanDecoder } from './traces/span-decoder.ts';

export type PayloadEncoding = 'protobuf' | 'json';

/** They reuse their buffers: one request at a time. */
const decoders: Readonly<Record<Signal, RequestDecoder>> = {
  logs: new LogDecoder(),
  traces: new SpanDecoder(),
  metrics: new MetricDecoder(),
};

/** An `Export…ServiceRequest` as blocks. Throws `MalformedPayloadError`, `PayloadTooLargeError`. */
export function decodeExport(
  signal: Signal,
  encoding: PayloadEncoding,
  payload: Buffer,
  arrival: Arrival,
): DecodedRequest {
  const rejections = new Rejections();
  const protobuf = encoding === 'json' ? jsonToProtobuf(signal, payload, rejections) : payload;
  return decoders[signal].decode(protobuf, arrival, rejections);
}
