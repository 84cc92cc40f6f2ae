import { Arrival } from '../decode/arrival.ts';
import type { DecodedRequest } from '../decode/decoded-request.ts';
import { decodeExport } from '../decode-export.ts';
import type { Signal } from '../signal.ts';
import { type Row, readNativeBlock } from './read-native-block.ts';

export const signals: readonly Signal[] = ['logs', 'traces', 'metrics'];

/** When requests of the tests arrive. */
export const arrivalMs = Date.UTC(2026, 0, 2);
export const arrivalNano = BigInt(arrivalMs) * 1_000_000n;

export function decodeProtobuf(signal: Signal, payload: Buffer): DecodedRequest {
  return decodeExport(signal, 'protobuf', payload, new Arrival(arrivalMs));
}

export function decodeJson(signal: Signal, request: unknown): DecodedRequest {
  return decodeJsonText(signal, JSON.stringify(request));
}

export function decodeJsonText(signal: Signal, text: string): DecodedRequest {
  return decodeExport(signal, 'json', Buffer.from(text), new Arrival(arrivalMs));
}

/** Rows by table. */
export function rowsOf({ blocks }: Pick<DecodedRequest, 'blocks'>): Record<string, Row[]> {
  return Object.fromEntries(blocks.map((block) => [block.table, readNativeBlock(block)]));
}

/** The rows that an OTLP/JSON request, as text or as an object, becomes in one table. */
export function jsonRows(signal: Signal, table: string, request: unknown): Row[] {
  const text = typeof request === 'string' ? request : JSON.stringify(request);
  return rowsOf(decodeJsonText(signal, text))[table] ?? [];
}
