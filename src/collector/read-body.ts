import type { IncomingMessage } from 'node:http';
import type { HeldBytes } from '../kernel/byte-budget.ts';
import { SinkFullError } from '../telemetry/ports.ts';
import type { CompressedBody, Compression } from './content-encoding.ts';
import { PayloadTooLargeError } from './intake-errors.ts';

export interface BodyLimits {
  /** As it comes over the wire. */
  receivedBytesMax: number;
  /** After decompression. */
  inflatedBytesMax: number;
}

export const defaultBodyLimits: BodyLimits = { receivedBytesMax: 16 << 20, inflatedBytesMax: 64 << 20 };

interface ReadOptions {
  limits: BodyLimits;
  held: HeldBytes;
  decompress: (body: CompressedBody) => Promise<Buffer>;
}

/** The sender hung up before its request was complete: there is nobody to answer. */
export class SenderGoneError extends Error {}

/**
 * The request's whole body, decompressed; its bytes are taken from `held` as they come. Throws `PayloadTooLargeError`,
 * `MalformedPayloadError`, `SenderGoneError` and, when too much is held already, `SinkFullError`.
 */
export async function readBody(
  request: IncomingMessage,
  encodings: readonly Compression[],
  { limits, held, decompress }: ReadOptions,
): Promise<Buffer> {
  const received = await collect(request, limits.receivedBytesMax, held);
  if (encodings.length === 0) return received;
  const body = await decompress({ received, encodings, bytesMax: limits.inflatedBytesMax });
  if (held.grow(body.length) !== 'granted') throw new SinkFullError();
  return body;
}

function collect(request: IncomingMessage, bytesMax: number, held: HeldBytes): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const giveUp = (error: Error) => {
      chunks.length = 0;
      bytes = Number.POSITIVE_INFINITY;
      reject(error);
    };
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes === Number.POSITIVE_INFINITY) return;
      if (bytes > bytesMax) giveUp(tooLarge(bytesMax));
      else if (held.grow(chunk.length) !== 'granted') giveUp(new SinkFullError());
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    request.on('error', () => reject(new SenderGoneError()));
    request.on('close', () => reject(new SenderGoneError()));
  });
}

function tooLarge(bytesMax: number): PayloadTooLargeError {
  return new PayloadTooLargeError(`a request body has at most ${bytesMax} bytes as it is sent`);
}
