import { createReadStream, type Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { SourceError } from '../source-port.ts';
import { globMatcher, literalPrefix } from './glob.ts';
import type { ObjectStore, OpenObject, StoredObject } from './object-store.ts';

export interface FileStoreDeps {
  /** The only folder that may be read; the operator's setting. */
  folder: string;
  pattern: string;
  startAfter?: string;
}

const pageObjects = 1_000;

/** Files of the machine, below the folder that the operator allows. Links that lead outside are not followed. */
export class FileStore implements ObjectStore {
  readonly #deps: FileStoreDeps;

  constructor(deps: FileStoreDeps) {
    this.#deps = deps;
  }

  async *list(signal: AbortSignal): AsyncGenerator<readonly StoredObject[]> {
    const { pattern, startAfter } = this.#deps;
    const root = await realpath(this.#deps.folder).catch(() => undefined);
    if (root === undefined) throw new SourceError('away', 'The folder that pipes may read is not there.');
    const matches = globMatcher(pattern);
    const prefix = literalPrefix(pattern);
    let page: StoredObject[] = [];
    for await (const path of filesBelow(prefix.slice(0, prefix.lastIndexOf('/') + 1), signal)) {
      if (!matches(path) || (startAfter !== undefined && path <= startAfter)) continue;
      const object = await describe(path, root);
      if (object) page.push(object);
      if (page.length < pageObjects) continue;
      yield page;
      page = [];
    }
    yield page;
  }

  async open({ key, version }: StoredObject, from: number): Promise<OpenObject | undefined> {
    const root = await realpath(this.#deps.folder).catch(() => '');
    const present = await describe(key, root);
    if (present?.version !== version) return undefined;
    return { body: readable(key, from) };
  }
}

async function* readable(path: string, from: number): AsyncGenerator<Uint8Array> {
  try {
    // Chunks of a file are bytes unless an encoding is set.
    yield* createReadStream(path, { start: from, highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>;
  } catch (error) {
    throw new SourceError('away', 'A file cannot be read.', error);
  }
}

/** `undefined` for what is gone, is no file, or is outside of `root`. */
async function describe(path: string, root: string): Promise<StoredObject | undefined> {
  try {
    const real = await realpath(path);
    if (!real.startsWith(root + sep)) return undefined;
    const { size, mtimeMs, ino, isFile } = await stat(real).then((found) => ({ ...found, isFile: found.isFile() }));
    return isFile ? { key: path, version: `${ino}-${size}-${mtimeMs}`, size, modifiedMs: mtimeMs } : undefined;
  } catch {
    return undefined;
  }
}

/** By name, so that a listing has the same order each time. */
async function* filesBelow(folder: string, signal: AbortSignal): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (signal.aborted) return;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path, signal);
    else yield path;
  }
}
