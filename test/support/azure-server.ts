import { createHmac, hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { HttpDouble } from './http-double.ts';

interface Held {
  body: Buffer;
  etag: string;
  modified: Date;
}

const account = 'lakeaccount';
const container = 'lake';
export const accountKey = Buffer.from('planted-key-of-the-account').toString('base64');
export const accessSignature = 'sv=2021-12-02&sp=rl&sig=planted%2Bsignature%3D';

/** One container of Azure Blob Storage as an emulator serves it: Shared Key and signatures, pages, ranges, conditions. */
export class AzureServer extends HttpDouble {
  readonly blobs = new Map<string, Held>();
  /** Answered to everything while it is set. */
  status: number | undefined;
  pageBlobs = 7;

  get endpoint(): string {
    return `${this.origin}/${account}`;
  }

  get connectionString(): string {
    return `DefaultEndpointsProtocol=http;AccountName=${account};AccountKey=${accountKey};BlobEndpoint=${this.endpoint};`;
  }

  put(key: string, body: string | Buffer): void {
    const bytes = Buffer.from(body);
    this.blobs.set(key, { body: bytes, etag: `0x8D${hash('md5', bytes).toUpperCase()}`, modified: new Date() });
  }

  protected answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', this.endpoint);
    if (this.status !== undefined) return void response.writeHead(this.status).end('<Error/>');
    const isSigned = request.headers.authorization === `SharedKey ${account}:${signatureOf(request, url)}`;
    const isKnown = isSigned || url.search.endsWith(accessSignature);
    if (!isKnown || !request.headers['x-ms-version']) return void response.writeHead(403).end('<Error/>');
    const path = `/${account}/${container}`;
    if (url.pathname !== path && !url.pathname.startsWith(`${path}/`))
      return void response.writeHead(404).end('<Error/>');
    const key = decodeURIComponent(url.pathname.slice(path.length + 1));
    if (key === '') this.#list(url.searchParams, response);
    else this.#get(key, request, response);
  }

  #list(search: URLSearchParams, response: ServerResponse): void {
    if (search.get('restype') !== 'container' || search.get('comp') !== 'list') {
      return void response.writeHead(400).end('<Error/>');
    }
    const after = search.get('marker') ?? '';
    const prefix = search.get('prefix') ?? '';
    const keys = [...this.blobs.keys()].sort().filter((key) => key.startsWith(prefix) && key > after);
    const page = keys.slice(0, this.pageBlobs);
    const blobs = page.map((key) => {
      const { etag, body, modified } = this.blobs.get(key) as Held;
      // Names that XML cannot hold are encoded.
      const isPlain = /^[\x20-\x7e]*$/.test(key);
      const name = isPlain ? `<Name>${escaped(key)}</Name>` : `<Name Encoded="true">${encodeURIComponent(key)}</Name>`;
      return `<Blob>${name}<Properties><Last-Modified>${modified.toUTCString()}</Last-Modified><Etag>${etag}</Etag><Content-Length>${body.length}</Content-Length></Properties></Blob>`;
    });
    const folder =
      '<Blob><Name>in</Name><Properties><ResourceType>directory</ResourceType><Etag>0x1</Etag><Content-Length>0</Content-Length></Properties></Blob>';
    const next = keys.length > page.length ? escaped(page.at(-1) ?? '') : '';
    const text = `<?xml version="1.0" encoding="utf-8"?><EnumerationResults ContainerName="${container}"><Blobs>${folder}${blobs.join('')}</Blobs><NextMarker>${next}</NextMarker></EnumerationResults>`;
    response.writeHead(200, { 'content-type': 'application/xml' }).end(text);
  }

  #get(key: string, request: IncomingMessage, response: ServerResponse): void {
    const held = this.blobs.get(key);
    if (!held) return void response.writeHead(404).end('<Error/>');
    const { body, etag, modified } = held;
    if (request.headers['if-match'] !== `"${etag}"`) return void response.writeHead(412).end('<Error/>');
    const from = Number(/^bytes=(\d+)-$/.exec(String(request.headers['x-ms-range']))?.[1] ?? 0);
    const part = body.subarray(from);
    const headers = { etag: `"${etag}"`, 'last-modified': modified.toUTCString(), 'content-length': part.length };
    response.writeHead(from > 0 ? 206 : 200, headers).end(part);
  }
}

/** As the service's documentation builds it, line by line. */
function signatureOf({ method, headers }: IncomingMessage, url: URL): string {
  const standard = [
    'content-encoding',
    'content-language',
    'content-length',
    'content-md5',
    'content-type',
    'date',
    'if-modified-since',
    'if-match',
    'if-none-match',
    'if-unmodified-since',
    'range',
  ];
  const own = Object.keys(headers).filter((name) => name.startsWith('x-ms-'));
  const lines = [
    method,
    ...standard.map((name) => headers[name] ?? ''),
    ...own.sort().map((name) => `${name}:${headers[name]}`),
    `/${account}${url.pathname}`,
    ...[...url.searchParams.keys()].sort().map((name) => `${name}:${url.searchParams.get(name)}`),
  ];
  return createHmac('sha256', Buffer.from(accountKey, 'base64')).update(lines.join('\n')).digest('base64');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
