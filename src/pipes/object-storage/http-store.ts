import type { Dispatcher } from 'undici';
import { SourceError } from '../source-port.ts';
import { expandBraces } from './glob.ts';
import { chunksOf, exchange, type HttpAnswer } from './http-exchange.ts';
import type { ObjectStore, OpenObject, StoredObject } from './object-store.ts';

export interface HttpStoreDeps {
  /** A URL, with braces for several. */
  pattern: string;
  /** A URL that is missing is waited for. */
  isContinuous: boolean;
  dispatcher: Dispatcher;
}

const pageObjects = 100;

/** Single URLs of any web server. */
export class HttpStore implements ObjectStore {
  readonly #deps: HttpStoreDeps;

  constructor(deps: HttpStoreDeps) {
    this.#deps = deps;
  }

  async *list(signal: AbortSignal): AsyncGenerator<readonly StoredObject[]> {
    let page: StoredObject[] = [];
    for (const url of expandBraces(this.#deps.pattern)) {
      const object = await this.#look(url, signal);
      if (object) page.push(object);
      if (page.length < pageObjects) continue;
      yield page;
      page = [];
    }
    yield page;
  }

  async #look(url: string, signal: AbortSignal): Promise<StoredObject | undefined> {
    const { dispatcher, isContinuous } = this.#deps;
    const answer = await exchange(dispatcher, { method: 'HEAD', url, headers: {} }, signal);
    await answer.body.dump();
    if (answer.statusCode < 300) return describe(url, answer);
    if (isContinuous) return undefined;
    throw new SourceError('rejected', 'There is nothing at the URL of the pipe (status 404).');
  }

  async open(object: StoredObject, from: number, signal: AbortSignal): Promise<OpenObject | undefined> {
    const { key: url, version } = object;
    const answer = await exchange(this.#deps.dispatcher, { method: 'GET', url, headers: {} }, signal);
    if (answer.statusCode >= 400 || describe(url, answer).version !== version) {
      await answer.body.dump();
      return undefined;
    }
    const encoding = answer.headers['content-encoding'];
    const body = from === 0 ? chunksOf(answer.body) : skipped(chunksOf(answer.body), from);
    return { body, ...(typeof encoding === 'string' && { encoding }) };
  }
}

function describe(url: string, { headers }: HttpAnswer): StoredObject {
  const { etag, 'last-modified': modified, 'content-length': length } = headers;
  const modifiedMs = Date.parse(String(modified));
  return {
    key: url,
    version: String(etag ?? modified ?? length ?? 'unversioned'),
    size: Number(length ?? 0),
    ...(!Number.isNaN(modifiedMs) && { modifiedMs }),
  };
}

/** The stream without its first bytes. */
export async function* skipped(chunks: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  let left = bytes;
  for await (const chunk of chunks) {
    if (left < chunk.byteLength) yield left === 0 ? chunk : chunk.subarray(left);
    left = Math.max(0, left - chunk.byteLength);
  }
}
