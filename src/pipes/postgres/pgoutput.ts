import type { Lsn } from './lsn.ts';

/** Values in the order of the relation's columns: text, NULL, or `undefined` for one that was not sent because it did not change. */
export type Tuple = readonly (string | null | undefined)[];

export interface Relation {
  oid: number;
  schema: string;
  table: string;
  /** `f`: old rows are sent whole. */
  identity: string;
  columns: readonly RelationColumn[];
}

interface RelationColumn {
  name: string;
  isKey: boolean;
  typeOid: number;
  typeModifier: number;
}

export type RowMessage =
  | { tag: 'insert'; oid: number; row: Tuple }
  /** `old` has only the key, or the whole row; absent when the key did not change. */
  | { tag: 'update'; oid: number; old?: Tuple; row: Tuple }
  | { tag: 'delete'; oid: number; old: Tuple };

export type PgoutputMessage =
  | { tag: 'begin'; commitLsn: Lsn; commitMs: number }
  | { tag: 'commit'; endLsn: Lsn }
  | { tag: 'relation'; relation: Relation }
  | { tag: 'truncate'; oids: readonly number[] }
  | RowMessage;

/** Milliseconds from the Unix epoch to PostgreSQL's, 2000-01-01. */
const postgresEpochMs = 946_684_800_000;

/**
 * One message of the plugin `pgoutput`, protocol version 1; `undefined` for those that carry no rows. Values stay the
 * texts that PostgreSQL sends. The bytes are not used afterwards: the client reuses its buffer.
 */
export function decodePgoutput(bytes: Buffer): PgoutputMessage | undefined {
  const reader = new MessageReader(bytes);
  const tag = reader.char();
  switch (tag) {
    case 'B':
      return { tag: 'begin', commitLsn: reader.lsn(), commitMs: reader.timeMs() };
    case 'C':
      reader.skip(1 + 8);
      return { tag: 'commit', endLsn: reader.lsn() };
    case 'R':
      return { tag: 'relation', relation: readRelation(reader) };
    case 'I': {
      const oid = reader.uint32();
      reader.skip(1);
      return { tag: 'insert', oid, row: readTuple(reader) };
    }
    case 'U':
      return readUpdate(reader);
    case 'D': {
      const oid = reader.uint32();
      reader.skip(1);
      return { tag: 'delete', oid, old: readTuple(reader) };
    }
    case 'T': {
      const count = reader.uint32();
      reader.skip(1);
      return { tag: 'truncate', oids: Array.from({ length: count }, () => reader.uint32()) };
    }
    default:
      return undefined;
  }
}

export function timeMsOf(microseconds: bigint): number {
  return Number(microseconds / 1000n) + postgresEpochMs;
}

function readRelation(reader: MessageReader): Relation {
  const oid = reader.uint32();
  const schema = reader.text() || 'pg_catalog';
  const table = reader.text();
  const identity = reader.char();
  const columns = Array.from({ length: reader.uint16() }, () => ({
    isKey: (reader.uint8() & 1) === 1,
    name: reader.text(),
    typeOid: reader.uint32(),
    typeModifier: reader.int32(),
  }));
  return { oid, schema, table, identity, columns };
}

function readUpdate(reader: MessageReader): RowMessage {
  const oid = reader.uint32();
  if (reader.char() === 'N') return { tag: 'update', oid, row: readTuple(reader) };
  const old = readTuple(reader);
  reader.skip(1);
  return { tag: 'update', oid, old, row: readTuple(reader) };
}

function readTuple(reader: MessageReader): Tuple {
  const count = reader.uint16();
  const values: (string | null | undefined)[] = [];
  for (let at = 0; at < count; at++) {
    const kind = reader.char();
    if (kind === 't') values.push(reader.sized());
    else values.push(kind === 'u' ? undefined : null);
  }
  return values;
}

class MessageReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  skip(count: number): void {
    this.#at += count;
  }

  char(): string {
    return String.fromCharCode(this.uint8());
  }

  uint8(): number {
    return this.#bytes.readUInt8(this.#at++);
  }

  uint16(): number {
    this.#at += 2;
    return this.#bytes.readUInt16BE(this.#at - 2);
  }

  uint32(): number {
    this.#at += 4;
    return this.#bytes.readUInt32BE(this.#at - 4);
  }

  int32(): number {
    this.#at += 4;
    return this.#bytes.readInt32BE(this.#at - 4);
  }

  lsn(): Lsn {
    this.#at += 8;
    return this.#bytes.readBigUInt64BE(this.#at - 8);
  }

  timeMs(): number {
    this.#at += 8;
    return timeMsOf(this.#bytes.readBigInt64BE(this.#at - 8));
  }

  /** Up to a zero byte. */
  text(): string {
    const from = this.#at;
    this.#at = this.#bytes.indexOf(0, from) + 1;
    return this.#bytes.toString('utf8', from, this.#at - 1);
  }

  sized(): string {
    const length = this.uint32();
    this.#at += length;
    return this.#bytes.toString('utf8', this.#at - length, this.#at);
  }
}
