import { parseXml, type XmlElement } from '@rgrove/parse-xml';
import type { Dispatcher } from 'undici';
import type { Clock } from '../../kernel/clock.ts';
import { SourceError } from '../source-port.ts';
import { sharedKey } from './azure-account.ts';
import { encodedKey } from './encoded-key.ts';
import { globMatcher, literalPrefix } from './glob.ts';
import { chunksOf, exchange, type HttpAnswer, shortText } from './http-exchange.ts';
import type { AzurePlace } from './location.ts';
import type { ObjectStore, OpenObject, StoredObject } from './object-store.ts';
import { childrenOf, textIn } from './xml-elements.ts';

export interface AzureStoreDeps {
  place: AzurePlace;
  pattern: string;
  /** Only names after this one, in their order. */
  startAfter?: string;
  dispatcher: Dispatcher;
  clock: Clock;
}

/** Knows everything that is used here, also in emulators. */
const protocolVersion = '2021-12-02';
const listingBytesMax = 32 * 1024 ** 2;

/** The blobs of one container of Azure Blob Storage. */
export class AzureStore implements ObjectStore {
  readonly #deps: AzureStoreDeps;
  readonly #matches: (key: string) => boolean;

  constructor(deps: AzureStoreDeps) {
    this.#deps = deps;
    this.#matches = globMatcher(deps.pattern);
  }

  async *list(signal: AbortSignal): AsyncGenerator<readonly StoredObject[]> {
    const { pattern, startAfter } = this.#deps;
    let marker = '';
    do {
      const search = new URLSearchParams({ restype: 'container', comp: 'list', prefix: literalPrefix(pattern) });
      if (marker !== '') search.set('marker', marker);
      const answer = await this.#get('', { search, headers: {} }, signal);
      const text = await shortText(answer.body, listingBytesMax);
      if (answer.statusCode !== 200) throw new SourceError('rejected', 'There is no such container.');
      const page = readListing(text);
      yield page.blobs.filter(({ key }) => this.#matches(key) && (startAfter === undefined || key > startAfter));
      marker = page.next;
    } while (marker !== '' && !signal.aborted);
  }

  async open({ key, version }: StoredObject, from: number, signal: AbortSignal): Promise<OpenObject | undefined> {
    const headers = { 'if-match': `"${version}"`, ...(from > 0 && { 'x-ms-range': `bytes=${from}-` }) };
    const search = new URLSearchParams();
    const answer = await this.#get(`/${encodedKey(key)}`, { search, headers }, signal);
    if (answer.statusCode >= 400) {
      await answer.body.dump();
      return undefined;
    }
    const encoding = answer.headers['content-encoding'];
    return { body: chunksOf(answer.body), ...(typeof encoding === 'string' && { encoding }) };
  }

  #get(
    path: string,
    { search, headers }: { search: URLSearchParams; headers: Record<string, string> },
    signal: AbortSignal,
  ): Promise<HttpAnswer> {
    const { place, dispatcher, clock } = this.#deps;
    const { blobUrl, access } = place.account;
    const url = new URL(`${blobUrl}/${place.container}${path}`);
    url.search = String(search).replaceAll('+', '%20');
    const dated = {
      ...headers,
      'x-ms-date': new Date(clock.nowMs()).toUTCString(),
      'x-ms-version': protocolVersion,
    };
    if (access.kind === 'signature') {
      url.search = [url.search.slice(1), access.query].filter((part) => part !== '').join('&');
      return exchange(dispatcher, { method: 'GET', url: url.href, headers: dated }, signal);
    }
    const authorization = sharedKey({ method: 'GET', url, headers: dated }, access);
    return exchange(dispatcher, { method: 'GET', url: url.href, headers: { ...dated, authorization } }, signal);
  }
}

function readListing(text: string): { blobs: StoredObject[]; next: string } {
  try {
    const { root } = parseXml(text);
    if (root?.name !== 'EnumerationResults') throw new Error('another document');
    const [list] = childrenOf(root, 'Blobs');
    const blobs = list ? childrenOf(list, 'Blob').flatMap(readBlob) : [];
    return { blobs, next: textIn(root, 'NextMarker') };
  } catch (error) {
    throw new SourceError('rejected', 'What answers at this address is not Azure Blob Storage.', error);
  }
}

/** Nothing for a folder, which accounts with a hierarchy list too. */
function readBlob(blob: XmlElement): StoredObject[] {
  const [name] = childrenOf(blob, 'Name');
  const [properties] = childrenOf(blob, 'Properties');
  if (!name || !properties || textIn(properties, 'ResourceType') === 'directory') return [];
  const key = name.attributes.Encoded === 'true' ? decodeURIComponent(name.text) : name.text;
  if (key.endsWith('/')) return [];
  return [
    {
      key,
      version: textIn(properties, 'Etag').replaceAll('"', ''),
      size: Number(textIn(properties, 'Content-Length')),
      modifiedMs: Date.parse(textIn(properties, 'Last-Modified')),
    },
  ];
}
