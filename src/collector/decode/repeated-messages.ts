import type { ProtobufReader } from './protobuf-reader.ts';
import { isStorableTime } from './unix-nano.ts';

/**
 * Calls `visit` for each message under `tag` in `[start, end)`: the reader is at its first byte and `messageEnd` is its
 * end. Other fields in between are skipped. Returns the number of messages.
 */
export function forEachMessage(
  reader: ProtobufReader,
  { start, end }: { start: number; end: number },
  tag: number,
  visit: (messageEnd: number) => void,
): number {
  let count = 0;
  reader.position = start;
  while (reader.position < end) {
    const found = reader.readTag(end);
    if (found !== tag) {
      reader.skip(found, end);
      continue;
    }
    const messageEnd = reader.readEnd(end);
    visit(messageEnd);
    reader.position = messageEnd;
    count++;
  }
  return count;
}

/** Whether the fixed64 time under `timeTag` of each message under `tag` can be stored. */
export function allTimesStorable(
  reader: ProtobufReader,
  range: { start: number; end: number },
  tag: number,
  timeTag: number,
): boolean {
  let all = true;
  forEachMessage(reader, range, tag, (end) => {
    while (reader.position < end) {
      const found = reader.readTag(end);
      if (found !== timeTag) {
        reader.skip(found, end);
        continue;
      }
      reader.readFixed64(end);
      if (!isStorableTime(reader.low, reader.high)) all = false;
    }
  });
  return all;
}
