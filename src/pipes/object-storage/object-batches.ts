import { joined, recordCount } from '../destination/text-records.ts';
import type { SourceBatch, SourceJob } from '../source-port.ts';
import { compressionOf, decompressed } from './compression.ts';
import { headerOf } from './header-line.ts';
import { skipped } from './http-store.ts';
import { isJsonList, type ObjectFormat } from './object-format.ts';
import { donePosition, type ObjectPosition, objectEntry, positionText, readPosition } from './object-position.ts';
import type { ObjectStore, StoredObject } from './object-store.ts';
import { cutRecords, wholeOf } from './record-cutter.ts';

export interface ReadDeps {
  store: ObjectStore;
  job: SourceJob;
  format: ObjectFormat;
  compression: string | undefined;
}

/** What can be read only as a whole is held in memory. */
const wholeBytesMax = 512 * 1024 ** 2;

/** An object in parts, from where it was left; each part is planned before it is written, so that it is cut the same again. */
export async function* objectBatches(
  deps: ReadDeps,
  object: StoredObject,
  onGone: (object: StoredObject) => void,
): AsyncGenerator<SourceBatch> {
  const { job, format } = deps;
  const entry = objectEntry(object.key);
  const known = readPosition((await job.ledger.find(job.pipe.id, [entry])).get(entry));
  const position: ObjectPosition =
    known?.version === object.version ? known : { version: object.version, at: 0, records: 0 };
  const chunks = await openedAt(deps, object, position.at);
  if (!chunks) return onGone(object);
  if (format.isText) yield* textBatches(deps, object, position, chunks, onGone);
  else yield wholeBatch(deps, object, await wholeOf(chunks, wholeBytesMax));
}

/** The object's bytes without compression, from `at` on; `undefined` when it is gone. */
export async function openedAt(
  { store, job, compression }: ReadDeps,
  object: StoredObject,
  at: number,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  const byName = compressionOf(compression, object.key, undefined);
  const isDirect = byName === 'none' && at > 0;
  const opened = await store.open(object, isDirect ? at : 0, job.signal);
  if (!opened) return undefined;
  const kind = compressionOf(compression, object.key, opened.encoding);
  const chunks = decompressed(opened.body, kind);
  return at > 0 && !isDirect ? skipped(chunks, at) : chunks;
}

async function* textBatches(
  deps: ReadDeps,
  object: StoredObject,
  position: ObjectPosition,
  chunks: AsyncIterable<Uint8Array>,
  onGone: (object: StoredObject) => void,
): AsyncGenerator<SourceBatch> {
  const { job, format } = deps;
  const entry = objectEntry(object.key);
  const rules = {
    isCsv: format.isCsv,
    bytesMax: job.limits.batchBytesMax,
    ...(position.next !== undefined && { firstBytes: position.next - position.at }),
  };
  let { at, records, fields } = position;
  for await (const { parts, bytes, isLast } of cutRecords(chunks, rules)) {
    if (at === 0 && format.format === 'JSONEachRow' && isJsonList(parts)) return yield* listBatch(deps, object, onGone);
    const { body, bodyBytes, header } =
      at === 0 && format.hasHeader ? withoutHeader(parts, format) : { body: parts, bodyBytes: bytes };
    if (header) fields = header;
    const next = at + bytes;
    const found = recordCount(body, format.isCsv);
    const after: ObjectPosition = {
      version: object.version,
      at: next,
      records: records + found,
      ...(fields && { fields }),
    };
    const done = isLast ? donePosition(object.version) : positionText(after);
    if (bodyBytes === 0) {
      await job.plan([{ key: entry, position: done }]);
      if (isLast) onGone(object);
    } else {
      const planned: ObjectPosition = { version: object.version, at, records, next, ...(fields && { fields }) };
      await job.plan([{ key: entry, position: positionText(planned) }]);
      const first = records;
      yield {
        identity: JSON.stringify([object.key, object.version, at, next]),
        positions: [{ key: entry, position: done }],
        format: format.format,
        ...(fields && { fields }),
        ...(format.isCsv && { delimiter: format.delimiter }),
        body,
        records: found,
        positionOf: (record) => `${object.key}, record ${first + record + 1}`,
        sourceBytes: isLast && at === 0 ? object.size : bodyBytes,
        phase: 'stream',
      };
    }
    [at, records] = [next, records + found];
  }
}

/** What follows the first record, which names the fields. */
function withoutHeader(parts: readonly Uint8Array[], format: ObjectFormat) {
  const text = joined(parts);
  const header = headerOf(text, format);
  const rest = text.subarray(header.bytes);
  return { body: [rest], bodyBytes: rest.length, header: header.fields };
}

async function* listBatch(
  deps: ReadDeps,
  object: StoredObject,
  onGone: (object: StoredObject) => void,
): AsyncGenerator<SourceBatch> {
  const chunks = await openedAt(deps, object, 0);
  if (!chunks) return onGone(object);
  yield wholeBatch(deps, object, await wholeOf(chunks, wholeBytesMax));
}

function wholeBatch({ format }: ReadDeps, object: StoredObject, bytes: Buffer): SourceBatch {
  return {
    identity: JSON.stringify([object.key, object.version, 'whole']),
    positions: [{ key: objectEntry(object.key), position: donePosition(object.version) }],
    format: format.format,
    isWhole: true,
    body: [bytes],
    positionOf: () => object.key,
    sourceBytes: object.size,
    phase: 'stream',
  };
}
