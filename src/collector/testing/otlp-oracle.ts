import oracle from 'otlp-transformer-oracle/build/src/generated/root.js';
import type { Signal } from '../signal.ts';

interface MessageType {
  encode(message: object): { finish(): Uint8Array };
  decode(bytes: Uint8Array): object;
}

interface GeneratedRoot {
  opentelemetry: {
    proto: {
      collector: {
        logs: { v1: Record<'ExportLogsServiceRequest' | 'ExportLogsServiceResponse', MessageType> };
        trace: { v1: Record<'ExportTraceServiceRequest' | 'ExportTraceServiceResponse', MessageType> };
        metrics: { v1: Record<'ExportMetricsServiceRequest' | 'ExportMetricsServiceResponse', MessageType> };
      };
    };
  };
}

// The package types its generated code as an opaque root.
const { collector } = (oracle as unknown as GeneratedRoot).opentelemetry.proto;

const requests: Readonly<Record<Signal, MessageType>> = {
  logs: collector.logs.v1.ExportLogsServiceRequest,
  traces: collector.trace.v1.ExportTraceServiceRequest,
  metrics: collector.metrics.v1.ExportMetricsServiceRequest,
};
const responses: Readonly<Record<Signal, MessageType>> = {
  logs: collector.logs.v1.ExportLogsServiceResponse,
  traces: collector.trace.v1.ExportTraceServiceResponse,
  metrics: collector.metrics.v1.ExportMetricsServiceResponse,
};

/** A third-party encoder: an export request in protobuf. 64-bit numbers are given as `int64(…)`. */
export function encodeRequest(signal: Signal, request: object): Buffer {
  return Buffer.from(requests[signal].encode(request).finish());
}

/** A third-party decoder, to compare ours with. */
export function decodeRequest(signal: Signal, request: Uint8Array): object {
  return requests[signal].decode(request);
}

/** A third-party decoder, for our replies. */
export function decodeReply(signal: Signal, reply: Uint8Array): object {
  return responses[signal].decode(reply);
}

/** A 64-bit number as the oracle takes it. */
export function int64(value: bigint): { low: number; high: number; unsigned: boolean } {
  const bits = BigInt.asUintN(64, value);
  return { low: Number(bits & 0xffff_ffffn) | 0, high: Number(bits >> 32n) | 0, unsigned: value >= 0n };
}
