import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isSigned } from './aws-signature.ts';
import { HttpDouble } from './http-double.ts';

interface Held {
  body: Buffer;
  etag: string;
  modified: Date;
  encoding?: string;
}

const bucket = 'lake';
export const accessKey = { accessKeyId: 'AKIDOFTHETEST0000001', secretKey: 'planted-secret-of-the-bucket' };

/** One bucket as S3 serves it, path-style, with signed requests, pages of a listing, ranges and conditions. */
export class S3Server extends HttpDouble {
  readonly objects = new Map<string, Held>();
  /** Answered to everything while it is set. */
  status: number | undefined;
  pageObjects = 7;
  requests = 0;
  isPublic = false;

  get url(): string {
    return `${this.origin}/${bucket}`;
  }

  put(key: string, body: string | Buffer, encoding?: string): void {
    const bytes = Buffer.from(body);
    const etag = `"${hash('md5', bytes)}"`;
    this.objects.set(key, { body: bytes, etag, modified: new Date(), ...(encoding !== undefined && { encoding }) });
  }

  protected answer(request: IncomingMessage, response: ServerResponse): void {
    this.requests++;
    const url = new URL(request.url ?? '/', this.url);
    if (this.status !== undefined) return void response.writeHead(this.status).end('<Error/>');
    const payload = String(request.headers['x-amz-content-sha256'] ?? '');
    const isKnown = isSigned(request, { url, service: 's3', payload, key: accessKey });
    if (!this.isPublic && !isKnown) return void response.writeHead(403).end('<Error/>');
    if (!url.pathname.startsWith(`/${bucket}/`)) return void response.writeHead(404).end('<Error/>');
    const key = decodeURIComponent(url.pathname.slice(bucket.length + 2));
    if (key === '') this.#list(url.searchParams, response);
    else this.#get(key, request, response);
  }

  #list(search: URLSearchParams, response: ServerResponse): void {
    const after = search.get('continuation-token') ?? search.get('start-after') ?? '';
    const prefix = search.get('prefix') ?? '';
    const keys = [...this.objects.keys()].sort().filter((key) => key.startsWith(prefix) && key > after);
    const page = keys.slice(0, this.pageObjects);
    const isTruncated = keys.length > page.length;
    const contents = page.map((key) => {
      const { etag, body, modified } = this.objects.get(key) as Held;
      const fields = {
        Key: encodeURIComponent(key),
        LastModified: modified.toISOString(),
        ETag: etag,
        Size: body.length,
      };
      return `<Contents>${xml(fields)}</Contents>`;
    });
    const next = isTruncated ? xml({ NextContinuationToken: page.at(-1) ?? '' }) : '';
    const text = `<?xml version="1.0" encoding="UTF-8"?>
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${xml({ IsTruncated: isTruncated })}${next}${contents.join('')}</ListBucketResult>`;
    response.writeHead(200, { 'content-type': 'application/xml' }).end(text);
  }

  #get(key: string, request: IncomingMessage, response: ServerResponse): void {
    const held = this.objects.get(key);
    if (!held) return void response.writeHead(404).end('<Error/>');
    const { body, etag, modified, encoding } = held;
    const wanted = request.headers['if-match'];
    if (wanted !== undefined && wanted !== etag) return void response.writeHead(412).end('<Error/>');
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const part = body.subarray(from);
    response.writeHead(from > 0 ? 206 : 200, {
      etag,
      'last-modified': modified.toUTCString(),
      'content-length': part.length,
      ...(encoding !== undefined && { 'content-encoding': encoding }),
    });
    response.end(request.method === 'HEAD' ? undefined : part);
  }
}

function xml(fields: Record<string, unknown>): string {
  return Object.entries(fields)
    .map(([name, value]) => `<${name}>${String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</${name}>`)
    .join('');
}
