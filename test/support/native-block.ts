import { digestOf } from '../../src/kernel/digest.ts';
import { varintOf } from '../../src/kernel/varint.ts';
import type { EncodedBlock } from '../../src/telemetry/ports.ts';

/** One column of a block in ClickHouse's Native format. */
export type NativeColumn =
  | { name: string; type: 'String'; values: readonly string[] }
  | { name: string; type: 'UInt64' | 'DateTime64(9)'; values: readonly bigint[] }
  | { name: string; type: 'Map(String, String)'; values: readonly Readonly<Record<string, string>>[] };

/** A whole block: plain and slow, for tests that want to write rows without the collector. */
export function nativeBlock(columns: readonly NativeColumn[]): Uint8Array {
  const rows = columns[0]?.values.length ?? 0;
  const parts = [varintOf(columns.length), varintOf(rows)];
  for (const column of columns) parts.push(text(column.name), text(column.type), values(column));
  return Buffer.concat(parts);
}

/** Log rows that differ by `Body` alone. */
export function logBlock(bodies: readonly string[], timestampNs = BigInt(Date.now()) * 1_000_000n): Uint8Array {
  return nativeBlock([
    { name: 'Timestamp', type: 'DateTime64(9)', values: bodies.map(() => timestampNs) },
    { name: 'ServiceName', type: 'String', values: bodies.map(() => 'test') },
    { name: 'Body', type: 'String', values: bodies },
    { name: 'LogAttributes', type: 'Map(String, String)', values: bodies.map((body) => ({ body })) },
  ]);
}

/** The same as the collector passes them on. */
export function encodedLogs(bodies: readonly string[], timestampNs?: bigint): EncodedBlock {
  const bytes = logBlock(bodies, timestampNs);
  return { table: 'otel_logs', rows: bodies.length, bytes, digest: digestOf(bytes) };
}

function values(column: NativeColumn): Buffer {
  if (column.type === 'String') return Buffer.concat(column.values.map(text));
  if (column.type === 'Map(String, String)') return maps(column.values);
  return Buffer.concat(column.values.map(int64));
}

function maps(values: readonly Readonly<Record<string, string>>[]): Buffer {
  let end = 0n;
  const ends = values.map((map) => {
    end += BigInt(Object.keys(map).length);
    return int64(end);
  });
  const keys = values.flatMap((map) => Object.keys(map).map(text));
  const texts = values.flatMap((map) => Object.values(map).map(text));
  return Buffer.concat([...ends, ...keys, ...texts]);
}

function int64(value: bigint): Buffer {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64LE(BigInt.asUintN(64, value));
  return buffer;
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([varintOf(bytes.length), bytes]);
}
