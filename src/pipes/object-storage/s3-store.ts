import { parseXml } from '@rgrove/parse-xml';
import { AwsV4Signer } from 'aws4fetch';
import type { Dispatcher } from 'undici';
import { SourceError } from '../source-port.ts';
import { encodedKey } from './encoded-key.ts';
import { globMatcher, literalPrefix } from './glob.ts';
import { chunksOf, exchange, type HttpAnswer, shortText } from './http-exchange.ts';
import type { S3Place } from './location.ts';
import type { ObjectStore, OpenObject, StoredObject } from './object-store.ts';
import { childrenOf, textIn } from './xml-elements.ts';

export interface S3StoreDeps {
  place: S3Place;
  pattern: string;
  /** Only keys after this one, in their order. */
  startAfter?: string;
  /** Absent = public. */
  accessKey?: { id: string; secret: string };
  dispatcher: Dispatcher;
}

const listingBytesMax = 16 * 1024 ** 2;

/** S3 and whatever speaks as it does: listing and reading of one bucket. */
export class S3Store implements ObjectStore {
  readonly #deps: S3StoreDeps;
  readonly #matches: (key: string) => boolean;

  constructor(deps: S3StoreDeps) {
    this.#deps = deps;
    this.#matches = globMatcher(deps.pattern);
  }

  async *list(signal: AbortSignal): AsyncGenerator<readonly StoredObject[]> {
    const { startAfter, pattern } = this.#deps;
    let token: string | undefined;
    do {
      const search = new URLSearchParams({ 'list-type': '2', 'encoding-type': 'url', prefix: literalPrefix(pattern) });
      if (startAfter !== undefined) search.set('start-after', startAfter);
      if (token !== undefined) search.set('continuation-token', token);
      // Signatures want spaces as %20.
      const answer = await this.#send('GET', `/?${String(search).replaceAll('+', '%20')}`, {}, signal);
      const text = await shortText(answer.body, listingBytesMax);
      if (answer.statusCode !== 200) throw new SourceError('rejected', 'There is no such bucket.');
      const page = readListing(text);
      yield page.objects.filter(({ key }) => this.isWanted(key));
      token = page.next;
    } while (token !== undefined && !signal.aborted);
  }

  /** Whether the pipe is about it. */
  isWanted(key: string): boolean {
    const { startAfter } = this.#deps;
    return !key.endsWith('/') && this.#matches(key) && (startAfter === undefined || key > startAfter);
  }

  /** As it is now; `undefined` = it is gone. */
  async look(key: string, signal: AbortSignal): Promise<StoredObject | undefined> {
    const { statusCode, headers, body } = await this.#send('HEAD', `/${encodedKey(key)}`, {}, signal);
    await body.dump();
    if (statusCode >= 400) return undefined;
    const modifiedMs = Date.parse(String(headers['last-modified']));
    return {
      key,
      version: String(headers.etag),
      size: Number(headers['content-length'] ?? 0),
      ...(!Number.isNaN(modifiedMs) && { modifiedMs }),
    };
  }

  async open({ key, version }: StoredObject, from: number, signal: AbortSignal): Promise<OpenObject | undefined> {
    const headers = { 'if-match': version, ...(from > 0 && { range: `bytes=${from}-` }) };
    const answer = await this.#send('GET', `/${encodedKey(key)}`, headers, signal);
    if (answer.statusCode >= 400) {
      await answer.body.dump();
      return undefined;
    }
    const encoding = answer.headers['content-encoding'];
    return { body: chunksOf(answer.body), ...(typeof encoding === 'string' && { encoding }) };
  }

  async #send(
    method: 'GET' | 'HEAD',
    path: string,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<HttpAnswer> {
    const { place, accessKey, dispatcher } = this.#deps;
    const url = place.bucketUrl + path;
    if (!accessKey) return exchange(dispatcher, { method, url, headers }, signal);
    const signer = new AwsV4Signer({
      ...{ method, url, headers, service: 's3', region: place.region },
      ...{ accessKeyId: accessKey.id, secretAccessKey: accessKey.secret },
    });
    const signed = await signer.sign();
    const sent = { method, url: String(signed.url), headers: Object.fromEntries(signed.headers) };
    return exchange(dispatcher, sent, signal);
  }
}

function readListing(text: string): { objects: StoredObject[]; next?: string } {
  try {
    const { root } = parseXml(text);
    if (root?.name !== 'ListBucketResult') throw new Error('another document');
    const objects = childrenOf(root, 'Contents').map((contents) => ({
      key: decodeURIComponent(textIn(contents, 'Key').replaceAll('+', ' ')),
      version: textIn(contents, 'ETag'),
      size: Number(textIn(contents, 'Size')),
      modifiedMs: Date.parse(textIn(contents, 'LastModified')),
    }));
    const next = textIn(root, 'NextContinuationToken');
    const isMore = textIn(root, 'IsTruncated') === 'true' && next !== '';
    return { objects: objects.filter(({ key }) => !key.endsWith('/')), ...(isMore && { next }) };
  } catch (error) {
    const sentence = 'What answers at this address is not an S3-compatible object storage.';
    throw new SourceError('rejected', sentence, error);
  }
}
