import { appendAttributes } from '../decode/attributes.ts';
import { ByteRange } from '../decode/byte-range.ts';
import type { DecodeRun } from '../decode/decode-run.ts';
import type { ProtobufReader } from '../decode/protobuf-reader.ts';
import { allTimesStorable } from '../decode/repeated-messages.ts';
import { UnixNano, unstorableTime } from '../decode/unix-nano.ts';
import { fixed64 } from '../decode/wire-format.ts';
import type { NativeTable } from '../native/native-table.ts';
import { exemplarTimeField } from './exemplars.ts';
import type { PointColumns } from './metric-tables.ts';

const startTimeField = fixed64(2);
const timeField = fixed64(3);

/** Tags of the fields that every kind of data point has, but under different numbers. */
export interface PointTags {
  attributes: number;
  flags: number;
  /** 0 for summaries, which have none. */
  exemplars: number;
}

/** The part of a data point that all kinds share. Reused from point to point. */
export class DataPoint {
  readonly tags: PointTags;
  readonly startTime = new UnixNano();
  readonly time = new UnixNano();
  readonly attributes = new ByteRange();
  readonly exemplars = new ByteRange();
  flags = 0;

  constructor(tags: PointTags) {
    this.tags = tags;
  }

  clear(): void {
    this.startTime.set(0, 0);
    this.time.set(0, 0);
    this.attributes.clear();
    this.exemplars.clear();
    this.flags = 0;
  }

  /** Takes or skips the field whose tag was just read; its kind looks for its own fields first. */
  scanField(reader: ProtobufReader, tagStart: number, tag: number, end: number): void {
    if (tag === startTimeField) this.startTime.take(reader, end);
    else if (tag === timeField) this.time.take(reader, end);
    else if (tag === this.tags.attributes) this.attributes.widen(reader, tagStart, tag, end);
    else if (tag === this.tags.flags) this.flags = reader.readUint32(end);
    else if (tag === this.tags.exemplars) this.exemplars.widen(reader, tagStart, tag, end);
    else reader.skip(tag, end);
  }

  whyRejected(run: DecodeRun): string | undefined {
    const { reader, arrival } = run;
    if (!this.startTime.isStorable) return unstorableTime;
    const notKept = arrival.whyNotKept(run.timeOf(this.time));
    if (notKept) return notKept;
    const { exemplars, tags } = this;
    return allTimesStorable(reader, exemplars, tags.exemplars, exemplarTimeField) ? undefined : unstorableTime;
  }

  /** `now` replaces a missing time. */
  append(reader: ProtobufReader, columns: PointColumns, now: UnixNano): void {
    const time = this.time.isMissing ? now : this.time;
    columns.TimeUnix.append(time.low, time.high);
    columns.StartTimeUnix.append(this.startTime.low, this.startTime.high);
    columns.Flags.append(this.flags);
    appendAttributes(reader, this.attributes, this.tags.attributes, columns.Attributes);
  }
}

/** Data points of one kind on their way into one table. */
export interface DataPointRows {
  readonly table: NativeTable<PointColumns>;
  /** Takes the data point that ends at `end`. */
  scan(reader: ProtobufReader, end: number): void;
  /** Why the scanned point can't be stored, if so. */
  whyRejected(run: DecodeRun): string | undefined;
  /** Appends the scanned point, without the columns that its metric and scope fill. */
  append(reader: ProtobufReader, now: UnixNano): void;
}
