/** What the ledger knows of one version of an object. */
export interface ObjectPosition {
  version: string;
  isDone?: true;
  /** Bytes, without compression, whose records are durable. */
  at: number;
  /** Records before that. */
  records: number;
  /** Names of its header. */
  fields?: string[];
  /** Where the batch ends that is being written. */
  next?: number;
}

/** A group of small objects that is being written in one batch. */
export interface GroupPlan {
  objects: { key: string; version: string; size: number }[];
}

const objectPrefix = 'o/';
export const groupPrefix = 'g/';

export function objectEntry(key: string): string {
  return objectPrefix + key;
}

/** Of an entry about an object. */
export function objectKeyOf(entry: string): string | undefined {
  return entry.startsWith(objectPrefix) ? entry.slice(objectPrefix.length) : undefined;
}

export function readPosition(text: string | undefined): ObjectPosition | undefined {
  // Written by `positionText`.
  return text === undefined ? undefined : (JSON.parse(text) as ObjectPosition);
}

export function positionText(position: ObjectPosition): string {
  return JSON.stringify(position);
}

export function donePosition(version: string): string {
  return positionText({ version, isDone: true, at: 0, records: 0 });
}
