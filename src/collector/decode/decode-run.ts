import type { EncodedBlock } from '../../telemetry/ports.ts';
import { MalformedPayloadError } from '../intake-errors.ts';
import type { NativeTable } from '../native/native-table.ts';
import type { Rejections } from '../rejections.ts';
import { type Arrival, tooEarly } from './arrival.ts';
import { appendOrigin, isReadableResource, isReadableScope, type OriginColumns } from './origin-columns.ts';
import { ProtobufReader } from './protobuf-reader.ts';
import { RowRoom } from './row-room.ts';
import type { ScopeGroup } from './scope-groups.ts';
import { UnixNano, unstorableTime } from './unix-nano.ts';

export type OriginTable = NativeTable<OriginColumns>;

/** Rows that wait to become blocks, by their bytes in the payload and those of their resource. */
const chunkBytesMax = 8 << 20;

export interface DecodeRunOptions {
  tables: readonly OriginTable[];
  arrival: Arrival;
  careful: boolean;
  rejections: Rejections;
}

/** One pass over the bytes of one request. */
export class DecodeRun {
  readonly reader: ProtobufReader;
  readonly arrival: Arrival;
  readonly now = new UnixNano();
  #hasTimesOfArrival = false;
  readonly rejections: Rejections;
  /** There is a way back before each record, at the cost of a look at every column for each. */
  readonly careful: boolean;
  readonly #tables: readonly OriginTable[];
  readonly #room: RowRoom;
  readonly #blocks: EncodedBlock[] = [];
  #group: ScopeGroup | undefined;
  #accepted = 0;
  #checkedResource = 0;
  #resourceIsReadable = true;

  constructor(payload: Buffer, { tables, arrival, careful, rejections }: DecodeRunOptions) {
    this.reader = new ProtobufReader(payload);
    this.rejections = rejections;
    this.arrival = arrival;
    this.careful = careful;
    this.now.setMilliseconds(arrival.nowMs);
    this.#tables = tables;
    this.#room = new RowRoom(payload.length);
  }

  /** The first of these times that is there, else that of the arrival. */
  timeOf(time: UnixNano, otherwise = time): UnixNano {
    if (!time.isMissing) return time;
    if (!otherwise.isMissing) return otherwise;
    this.#hasTimesOfArrival = true;
    return this.now;
  }

  /** Begins with the records of a scope. `false` when its resource or scope is broken: then none can be stored. */
  enterScope(group: ScopeGroup): boolean {
    if (this.careful && !this.#isReadable(group)) return false;
    this.#group = group;
    this.#room.enterScope(group);
    return true;
  }

  /** Ends the scope whose records were just appended. */
  leaveScope(): void {
    this.#fillOrigin();
    this.#group = undefined;
    if (this.chunkIsFull) this.#encode();
  }

  /** Why a record of that many bytes can't be stored, or `undefined`: then its room is taken. */
  whyNoRoom(bytes: number): string | undefined {
    return this.#room.take(bytes);
  }

  /** The rows so far are many enough to be made into blocks. */
  get chunkIsFull(): boolean {
    return this.#room.takenSinceChunk > chunkBytesMax;
  }

  /** Makes blocks of the rows so far, which have to be whole but for their resource and scope. */
  endChunk(): void {
    this.#fillOrigin();
    this.#encode();
  }

  /** Runs `append`; what it appended to `table` before it met a broken record is dropped, and counted as rejected. */
  attempt(table: OriginTable, append: () => void): void {
    table.checkpoint();
    try {
      append();
    } catch (error) {
      if (!(error instanceof MalformedPayloadError)) throw error;
      table.rollback();
      this.rejections.addBroken(error.reason);
    }
  }

  finish() {
    this.#encode();
    const { total, message } = this.rejections;
    const mistimed = {
      behind: this.rejections.countOf(this.arrival.tooLate),
      ahead: this.rejections.countOf(tooEarly) + this.rejections.countOf(unstorableTime),
    };
    const blocks = this.#hasTimesOfArrival ? this.#blocks.map(withoutDigest) : this.#blocks;
    return { blocks, accepted: this.#accepted, rejected: total, mistimed, message };
  }

  #isReadable(group: ScopeGroup): boolean {
    if (this.#checkedResource !== group.resourceNumber) {
      this.#checkedResource = group.resourceNumber;
      this.#resourceIsReadable = isReadableResource(this.reader, group);
    }
    return this.#resourceIsReadable && isReadableScope(this.reader, group);
  }

  #fillOrigin(): void {
    if (!this.#group) return;
    for (const table of this.#tables) appendOrigin(table, this.reader, this.#group);
  }

  #encode(): void {
    for (const table of this.#tables) {
      if (table.rows === 0) continue;
      const block = table.encode();
      this.#accepted += block.rows;
      this.#room.encoded(block.bytes.byteLength);
      this.#blocks.push(block);
      table.clear();
    }
    this.#room.startChunk();
  }
}

function withoutDigest({ table, rows, bytes }: EncodedBlock): EncodedBlock {
  return { table, rows, bytes };
}
