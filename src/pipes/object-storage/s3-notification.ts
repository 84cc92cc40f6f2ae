import { type JsonObject, numberIn, objectOf, objectsIn, textIn } from '../aws/json-fields.ts';

/** An object that was created, as a message says. */
export interface CreatedObject {
  key: string;
  /** As S3 writes it in listings, with quotes; absent when the message has none. */
  etag?: string;
  size?: number;
  createdMs?: number;
}

const depthMax = 3;

/**
 * The objects of `bucket` that a message is about; `undefined` when it is no message of S3 about this bucket. Events of
 * other kinds, such as removals and S3's test, are about none. Read are notifications of S3, those that came through SNS,
 * and events of EventBridge.
 */
export function createdObjects(text: string, bucket: string): CreatedObject[] | undefined {
  return readMessage(parsed(text), bucket, 0);
}

function readMessage(message: JsonObject, bucket: string, depth: number): CreatedObject[] | undefined {
  const inner = textIn(message, 'Message');
  if (inner !== undefined) return depth < depthMax ? readMessage(parsed(inner), bucket, depth + 1) : undefined;
  if (textIn(message, 'Event') === 's3:TestEvent') return textIn(message, 'Bucket') === bucket ? [] : undefined;
  if (textIn(message, 'source') === 'aws.s3') return readEvent(message, bucket);
  const records = objectsIn(message, 'Records');
  const isOurs = (record: JsonObject) =>
    textIn(record, 'eventSource')?.endsWith(':s3') && textIn(bucketOf(objectOf(record.s3)), 'name') === bucket;
  if (records.length === 0 || !records.every(isOurs)) return undefined;
  return records.flatMap(readRecord);
}

function readRecord(record: JsonObject): CreatedObject[] {
  const name = textIn(record, 'eventName')?.replace(/^s3:/, '') ?? '';
  if (!name.startsWith('ObjectCreated:')) return [];
  const object = objectOf(objectOf(record.s3).object);
  const key = decoded(textIn(object, 'key'));
  return key === undefined
    ? []
    : [described(key, textIn(object, 'eTag'), numberIn(object, 'size'), textIn(record, 'eventTime'))];
}

/** Keys are as they are here. */
function readEvent(event: JsonObject, bucket: string): CreatedObject[] | undefined {
  const detail = objectOf(event.detail);
  if (textIn(bucketOf(detail), 'name') !== bucket) return undefined;
  if (textIn(event, 'detail-type') !== 'Object Created') return [];
  const object = objectOf(detail.object);
  const key = textIn(object, 'key');
  return key === undefined
    ? []
    : [described(key, textIn(object, 'etag'), numberIn(object, 'size'), textIn(event, 'time'))];
}

function described(key: string, tag: string | undefined, size: number | undefined, time = ''): CreatedObject {
  const createdMs = Date.parse(time);
  return {
    key,
    ...(tag && { etag: tag.startsWith('"') ? tag : `"${tag}"` }),
    ...(size !== undefined && { size }),
    ...(!Number.isNaN(createdMs) && { createdMs }),
  };
}

function bucketOf(holder: JsonObject): JsonObject {
  return objectOf(holder.bucket);
}

/** Encoded as in forms. */
function decoded(key: string | undefined): string | undefined {
  try {
    return key === undefined ? undefined : decodeURIComponent(key.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

function parsed(text: string): JsonObject {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return {};
  }
}
