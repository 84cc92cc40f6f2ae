import type { Readable } from 'node:stream';
import { parseEncodings, takenEncodings } from './content-encoding.ts';
import { MalformedPayloadError, PayloadTooLargeError, UnknownCompressionError } from './intake-errors.ts';
import { type DecompressOptions, decompressHeld, receiveBytes } from './receive-bytes.ts';

/** One byte that says whether the message is compressed, four with its length. */
const prefixBytes = 5;

interface ReadOptions extends DecompressOptions {
  bytesMax: number;
}

/**
 * The one message of a call, decompressed; its bytes are taken from `held` as they come. Throws as `readBody`, and
 * `UnknownCompressionError`.
 */
export async function readGrpcMessage(
  stream: Readable,
  encoding: string | string[] | undefined,
  { bytesMax, held, decompress }: ReadOptions,
): Promise<Buffer> {
  const encodings = parseEncodings(String(encoding ?? ''));
  if (!encodings) throw new UnknownCompressionError(`the message is compressed with ${takenEncodings}`);
  const tooLarge = () => new PayloadTooLargeError(`a message has at most ${bytesMax} bytes`);
  const frame = await receiveBytes(stream, { bytesMax: bytesMax + prefixBytes, held, tooLarge });
  if (frame.length < prefixBytes || frame.readUInt32BE(1) !== frame.length - prefixBytes) {
    throw new MalformedPayloadError('a call has one whole message');
  }
  const message = frame.subarray(prefixBytes);
  if (frame[0] === 0) return message;
  if (frame[0] !== 1 || encodings.length === 0) {
    throw new MalformedPayloadError('the message is marked as compressed, but the call names no compression');
  }
  return decompressHeld({ received: message, encodings, bytesMax }, { held, decompress });
}

/** A message that goes out, which is never compressed. */
export function messageFrame(message: Buffer): Buffer {
  const prefix = Buffer.alloc(prefixBytes);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}
