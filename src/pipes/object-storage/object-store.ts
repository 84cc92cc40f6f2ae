/** An object as a listing shows it. */
export interface StoredObject {
  key: string;
  /** Changes whenever the content does; the same for the same content. */
  version: string;
  size: number;
  modifiedMs?: number;
}

export interface OpenObject {
  body: AsyncIterable<Uint8Array>;
  /** `Content-Encoding`, where the store has one. */
  encoding?: string;
}

/** Where objects are. Every method throws `SourceError`. */
export interface ObjectStore {
  /** The objects that the pipe is about, in pages, by key. */
  list(signal: AbortSignal): AsyncIterable<readonly StoredObject[]>;
  /** From byte `from` on; `undefined` when the object is gone, or is another version by now. */
  open(object: StoredObject, from: number, signal: AbortSignal): Promise<OpenObject | undefined>;
}
