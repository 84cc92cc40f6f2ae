import type { Task } from '../kernel/workers.ts';
import type { PlainCompression } from './content-encoding.ts';
import { Arrival } from './decode/arrival.ts';
import type { DecodedRequest } from './decode/decoded-request.ts';
import { decodeExport, type PayloadEncoding } from './decode-export.ts';
import { MalformedPayloadError, PayloadTooLargeError } from './intake-errors.ts';
import { decompressPlain } from './plain-decompressors.ts';
import type { Signal } from './signal.ts';

export interface DecodeOrder {
  signal: Signal;
  encoding: PayloadEncoding;
  payload: Uint8Array;
  nowMs: number;
  retentionDays: number | undefined;
}

/** Errors that the sender hears, as values: of what a task throws, only the message arrives. */
export type Outcome<Value> =
  | { kind: 'done'; value: Value }
  | { kind: 'malformed'; message: string }
  | { kind: 'tooLarge'; message: string };

export const decodeExportTask: Task<DecodeOrder, Outcome<DecodedRequest>> = {
  name: 'decode export',
  run: ({ signal, encoding, payload, nowMs, retentionDays }) =>
    outcomeOf(() => decodeExport(signal, encoding, asBuffer(payload), new Arrival(nowMs, retentionDays))),
  moved: (outcome) => (outcome.kind === 'done' ? movable(outcome.value.blocks.map(({ bytes }) => bytes)) : []),
};

export interface DecompressOrder {
  compression: PlainCompression;
  bytes: Uint8Array;
  limit: number;
}

export const decompressTask: Task<DecompressOrder, Outcome<Uint8Array>> = {
  name: 'decompress',
  run: ({ compression, bytes, limit }) => outcomeOf(() => decompressPlain(compression, asBuffer(bytes), limit)),
  moved: (outcome) => (outcome.kind === 'done' ? movable([outcome.value]) : []),
};

/** Returns the value, or throws the error. */
export function resultOf<Value>(outcome: Outcome<Value>): Value {
  if (outcome.kind === 'done') return outcome.value;
  if (outcome.kind === 'malformed') throw new MalformedPayloadError(outcome.message);
  throw new PayloadTooLargeError(outcome.message);
}

/** Buffers that can be transferred to another thread: those that do not share memory. */
export function movable(parts: readonly Uint8Array[]): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  for (const { buffer, byteLength } of parts) {
    if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && byteLength > 0) buffers.add(buffer);
  }
  return [...buffers];
}

export function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function outcomeOf<Value>(run: () => Value): Outcome<Value> {
  try {
    return { kind: 'done', value: run() };
  } catch (error) {
    if (error instanceof PayloadTooLargeError) return { kind: 'tooLarge', message: error.message };
    if (error instanceof MalformedPayloadError) return { kind: 'malformed', message: error.message };
    throw error;
  }
}
