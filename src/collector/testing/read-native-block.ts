import { readVarint } from '../../kernel/varint.ts';
import type { EncodedBlock } from '../../telemetry/ports.ts';

/** Maps come as lists of pairs, so that order and repeated keys are seen; 64-bit integers as bigint. */
export type Row = Record<string, unknown>;

/** Rows of a block in ClickHouse's Native format, read slowly by type. Throws when bytes are missing or left over. */
export function readNativeBlock({ bytes }: Pick<EncodedBlock, 'bytes'>): Row[] {
  const source = new Source(Buffer.from(bytes));
  const columns = source.varint();
  const rows: Row[] = Array.from({ length: source.varint() }, () => ({}));
  for (let column = 0; column < columns; column++) {
    const name = source.text();
    const values = readColumn(source, source.text(), rows.length);
    for (const [index, row] of rows.entries()) row[name] = values[index];
  }
  if (!source.atEnd) throw new Error('bytes are left over behind the last column');
  return rows;
}

function readColumn(source: Source, type: string, rows: number): unknown[] {
  const array = /^Array\((.*)\)$/.exec(type);
  if (array) return readArrays(source, array[1] ?? '', rows);
  if (type === 'Map(String, String)') return readMaps(source, rows);
  return Array.from({ length: rows }, () => source.scalar(type));
}

function readArrays(source: Source, itemType: string, rows: number): unknown[][] {
  const ends = Array.from({ length: rows }, () => Number(source.scalar('UInt64')));
  const items = readColumn(source, itemType, ends.at(-1) ?? 0);
  return ends.map((end, row) => items.slice(ends[row - 1] ?? 0, end));
}

function readMaps(source: Source, rows: number): [string, string][][] {
  const ends = Array.from({ length: rows }, () => Number(source.scalar('UInt64')));
  const entries = ends.at(-1) ?? 0;
  const keys = Array.from({ length: entries }, () => source.text());
  const pairs = keys.map((key): [string, string] => [key, source.text()]);
  return ends.map((end, row) => pairs.slice(ends[row - 1] ?? 0, end));
}

class Source {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get atEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  varint(): number {
    const read = readVarint(this.#bytes, this.#at);
    if (!read) throw new Error('the block is cut off');
    this.#at = read.end;
    return read.value;
  }

  text(): string {
    return this.#take(this.varint()).toString('utf8');
  }

  scalar(type: string): unknown {
    switch (type) {
      case 'String':
        return this.text();
      case 'UInt8':
        return this.#take(1).readUInt8();
      case 'Bool':
        return this.#take(1).readUInt8() === 1;
      case 'UInt32':
        return this.#take(4).readUInt32LE();
      case 'Int32':
        return this.#take(4).readInt32LE();
      case 'UInt64':
      case 'DateTime64(9)':
        return this.#take(8).readBigUInt64LE();
      case 'Float64':
        return this.#take(8).readDoubleLE();
      default:
        throw new Error(`no reader for ${type}`);
    }
  }

  #take(bytes: number): Buffer {
    if (this.#at + bytes > this.#bytes.length) throw new Error('the block is cut off');
    this.#at += bytes;
    return this.#bytes.subarray(this.#at - bytes, this.#at);
  }
}
