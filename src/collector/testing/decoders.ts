import type { DecodedRequest, RequestDecoder } from '../decode/decoded-request.ts';
import { jsonToProtobuf } from '../json/json-to-protobuf.ts';
import { LogDecoder } from '../logs/log-decoder.ts';
import { MetricDecoder } from '../metrics/metric-decoder.ts';
import type { Signal } from '../signal.ts';
import { SpanDecoder } from '../traces/span-decoder.ts';
import { type Row, readNativeBlock } from './read-native-block.ts';

export const signals: readonly Signal[] = ['logs', 'traces', 'metrics'];

export const decoders: Readonly<Record<Signal, RequestDecoder>> = {
  logs: new LogDecoder(),
  traces: new SpanDecoder(),
  metrics: new MetricDecoder(),
};

/** When requests of the tests arrive. */
export const arrivalMs = Date.UTC(2026, 0, 2);
export const arrivalNano = BigInt(arrivalMs) * 1_000_000n;

export function decodeProtobuf(signal: Signal, payload: Buffer): DecodedRequest {
  return decoders[signal].decode(payload, arrivalMs);
}

export function decodeJson(signal: Signal, request: unknown): DecodedRequest {
  return decodeProtobuf(signal, jsonToProtobuf(signal, request));
}

/** Rows by table. */
export function rowsOf({ blocks }: Pick<DecodedRequest, 'blocks'>): Record<string, Row[]> {
  return Object.fromEntries(blocks.map((block) => [block.table, readNativeBlock(block)]));
}

/** The rows that an OTLP/JSON request becomes in one table. */
export function jsonRows(signal: Signal, table: string, request: unknown): Row[] {
  return rowsOf(decodeJson(signal, request))[table] ?? [];
}
