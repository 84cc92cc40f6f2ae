import { isDeepStrictEqual } from 'node:util';
import { digestOf } from '../../kernel/digest.ts';
import { recordCount } from '../destination/text-records.ts';
import type { SourceBatch } from '../source-port.ts';
import { headerOf } from './header-line.ts';
import { objectBatches, openedAt, type ReadDeps } from './object-batches.ts';
import { isJsonList } from './object-format.ts';
import { donePosition, type GroupPlan, groupPrefix, objectEntry } from './object-position.ts';
import type { StoredObject } from './object-store.ts';

/** An object that is read. */
interface Part {
  object: StoredObject;
  body: Uint8Array[];
  bytes: number;
  records: number;
  fields: string[] | undefined;
}

export interface GroupOptions {
  /** The key of the plan by which these objects were being written before. */
  planned?: string;
  onGone: (object: StoredObject) => void;
}

/** Small objects together, in batches that are planned before they are written. */
export async function* groupBatches(
  deps: ReadDeps,
  objects: readonly StoredObject[],
  { planned, onGone }: GroupOptions,
): AsyncGenerator<SourceBatch> {
  let parts: Part[] = [];
  let bytes = 0;
  const alone: StoredObject[] = [];
  for (const object of objects) {
    const part = await readPart(deps, object);
    if (part === 'gone') {
      onGone(object);
      continue;
    }
    if (part === 'alone') {
      alone.push(object);
      continue;
    }
    // A plan is repeated as it was, however large it is.
    const isFull = bytes > 0 && bytes + part.bytes > deps.job.limits.batchBytesMax;
    if (planned === undefined && (isFull || !fits(parts, part))) {
      yield await batchOf(deps, parts);
      [parts, bytes] = [[], 0];
    }
    parts.push(part);
    bytes += part.bytes;
  }
  if (planned !== undefined && parts.length === 0) await deps.job.plan([{ key: planned, position: undefined }]);
  if (parts.length > 0) yield await batchOf(deps, parts, planned);
  for (const object of alone) yield* objectBatches(deps, object, onGone);
}

/** `alone`: it turns out to be large, or a list, and is written separately. */
async function readPart(deps: ReadDeps, object: StoredObject): Promise<Part | 'gone' | 'alone'> {
  const { format, job } = deps;
  const chunks = await openedAt(deps, object, 0);
  if (!chunks) return 'gone';
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    pieces.push(chunk);
    bytes += chunk.byteLength;
    if (bytes > job.limits.batchBytesMax) return 'alone';
  }
  if (format.format === 'JSONEachRow' && isJsonList(pieces)) return 'alone';
  if (!format.hasHeader) return partOf(object, pieces, { fields: undefined, isCsv: format.isCsv });
  const text = Buffer.concat(pieces);
  const header = headerOf(text, format);
  return partOf(object, [text.subarray(header.bytes)], { fields: header.fields, isCsv: format.isCsv });
}

function partOf(
  object: StoredObject,
  text: readonly Uint8Array[],
  { fields, isCsv }: { fields: string[] | undefined; isCsv: boolean },
): Part {
  const body = ended(text);
  const bytes = body.reduce((sum, { length }) => sum + length, 0);
  return { object, body, bytes, records: recordCount(body, isCsv), fields };
}

/** The next object begins on its own line. */
function ended(text: readonly Uint8Array[]): Uint8Array[] {
  const parts = text.filter(({ length }) => length > 0);
  const last = parts.at(-1);
  return last === undefined || last.at(-1) === 0x0a ? parts : [...parts, Buffer.from('\n')];
}

function fits(parts: readonly Part[], part: Part): boolean {
  return parts[0] === undefined || isDeepStrictEqual(parts[0].fields, part.fields);
}

async function batchOf({ job, format }: ReadDeps, parts: readonly Part[], planned?: string): Promise<SourceBatch> {
  const objects = parts.map(({ object: { key, version, size } }) => ({ key, version, size }));
  const plan: GroupPlan = { objects };
  const entry = planned ?? groupPrefix + digestOf(JSON.stringify(objects.map(({ key, version }) => [key, version])));
  if (planned === undefined) await job.plan([{ key: entry, position: JSON.stringify(plan) }]);
  const [{ fields } = { fields: undefined }] = parts;
  return {
    // By the plan, also when an object of it is gone by now: its rows were written, or are.
    identity: entry,
    positions: [
      { key: entry, position: undefined },
      ...objects.map(({ key, version }) => ({ key: objectEntry(key), position: donePosition(version) })),
    ],
    format: format.format,
    ...(fields && { fields }),
    ...(format.isCsv && { delimiter: format.delimiter }),
    body: parts.flatMap(({ body }) => body),
    records: parts.reduce((sum, { records }) => sum + records, 0),
    positionOf: (record) => positionIn(parts, record),
    sourceBytes: objects.reduce((sum, { size }) => sum + size, 0),
    phase: 'stream',
  };
}

function positionIn(parts: readonly Part[], record: number): string {
  let left = record;
  for (const { object, records } of parts) {
    if (left < records) return `${object.key}, record ${left + 1}`;
    left -= records;
  }
  return parts.at(-1)?.object.key ?? '';
}
