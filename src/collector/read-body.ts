import type { IncomingMessage } from 'node:http';
import type { Compression } from './content-encoding.ts';
import { PayloadTooLargeError } from './intake-errors.ts';
import { type DecompressOptions, decompressHeld, receiveBytes } from './receive-bytes.ts';

export interface BodyLimits {
  /** As it comes over the wire. */
  receivedBytesMax: number;
  /** After decompression. */
  inflatedBytesMax: number;
}

export const defaultBodyLimits: BodyLimits = { receivedBytesMax: 16 << 20, inflatedBytesMax: 64 << 20 };

interface ReadOptions extends DecompressOptions {
  limits: BodyLimits;
}

/**
 * The request's whole body, decompressed; its bytes are taken from `held` as they come. Throws `PayloadTooLargeError`,
 * `MalformedPayloadError`, `SenderGoneError` and, when too much is held already, `SinkFullError`.
 */
export async function readBody(
  request: IncomingMessage,
  encodings: readonly Compression[],
  { limits, held, decompress }: ReadOptions,
): Promise<Buffer> {
  const bytesMax = limits.receivedBytesMax;
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax);
  const received = await receiveBytes(request, { bytesMax, held, tooLarge: () => tooLarge(bytesMax) });
  if (encodings.length === 0) return received;
  return decompressHeld({ received, encodings, bytesMax: limits.inflatedBytesMax }, { held, decompress });
}

function tooLarge(bytesMax: number): PayloadTooLargeError {
  return new PayloadTooLargeError(`a request body has at most ${bytesMax} bytes as it is sent`);
}
