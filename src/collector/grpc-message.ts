import type { Readable } from 'node:stream';
import type { HeldBytes } from '../kernel/byte-budget.ts';
import { SinkFullError } from '../telemetry/ports.ts';
import { type CompressedBody, parseEncodings, takenEncodings } from './content-encoding.ts';
import { MalformedPayloadError, PayloadTooLargeError, UnknownCompressionError } from './intake-errors.ts';
import { SenderGoneError } from './read-body.ts';

/** One byte that says whether the message is compressed, four with its length. */
const prefixBytes = 5;

interface ReadOptions {
  bytesMax: number;
  held: HeldBytes;
  decompress: (body: CompressedBody) => Promise<Buffer>;
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
  const frame = await collect(stream, bytesMax, held);
  if (frame.length < prefixBytes || frame.readUInt32BE(1) !== frame.length - prefixBytes) {
    throw new MalformedPayloadError('a call has one whole message');
  }
  const message = frame.subarray(prefixBytes);
  if (frame[0] === 0) return message;
  if (frame[0] !== 1 || encodings.length === 0) {
    throw new MalformedPayloadError('the message is marked as compressed, but the call names no compression');
  }
  const inflated = await decompress({ received: message, encodings, bytesMax });
  if (held.grow(inflated.length) !== 'granted') throw new SinkFullError();
  return inflated;
}

/** A message that goes out, which is never compressed. */
export function messageFrame(message: Buffer): Buffer {
  const prefix = Buffer.alloc(prefixBytes);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

function collect(stream: Readable, bytesMax: number, held: HeldBytes): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const giveUp = (error: Error) => {
      stream.off('data', onData);
      chunks.length = 0;
      reject(error);
    };
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > bytesMax + prefixBytes) {
        giveUp(new PayloadTooLargeError(`a message has at most ${bytesMax} bytes`));
      } else if (held.grow(chunk.length) !== 'granted') giveUp(new SinkFullError());
      else chunks.push(chunk);
    };
    stream.on('data', onData);
    stream.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    stream.once('error', () => giveUp(new SenderGoneError()));
    stream.once('close', () => giveUp(new SenderGoneError()));
  });
}
