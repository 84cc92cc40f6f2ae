import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { MalformedPayloadError, PayloadTooLargeError } from './intake-errors.ts';

export interface BodyLimits {
  /** As it comes over the wire. */
  receivedBytesMax: number;
  /** After decompression. */
  inflatedBytesMax: number;
}

export const defaultBodyLimits: BodyLimits = { receivedBytesMax: 16 << 20, inflatedBytesMax: 64 << 20 };

/** The sender hung up before its request was complete: there is nobody to answer. */
export class SenderGoneError extends Error {}

const inflate = promisify(gunzip);

/** The request's whole body, decompressed. Throws `PayloadTooLargeError`, `MalformedPayloadError`, `SenderGoneError`. */
export async function readBody(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const received = await collect(request, limits.receivedBytesMax);
  if (!isGzip(request)) return received;
  try {
    return await inflate(received, { maxOutputLength: limits.inflatedBytesMax });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(limits.inflatedBytesMax, 'decompressed');
    throw new MalformedPayloadError('the body is not valid gzip, though its Content-Encoding says so');
  }
}

/** `false` for a `Content-Encoding` that we don't know. */
export function isKnownEncoding(request: IncomingMessage): boolean {
  return isGzip(request) || ['', 'identity'].includes(contentEncoding(request));
}

function isGzip(request: IncomingMessage): boolean {
  return contentEncoding(request) === 'gzip';
}

function contentEncoding(request: IncomingMessage): string {
  return (request.headers['content-encoding'] ?? '').trim().toLowerCase();
}

function collect(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax, 'received');
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= bytesMax) chunks.push(chunk);
      else {
        chunks.length = 0;
        reject(tooLarge(bytesMax, 'received'));
      }
    });
    request.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    request.on('error', () => reject(new SenderGoneError()));
    request.on('close', () => reject(new SenderGoneError()));
  });
}

function tooLarge(bytesMax: number, what: string): PayloadTooLargeError {
  return new PayloadTooLargeError(`a request body has at most ${bytesMax} bytes (${what})`);
}
