import type { Readable } from 'node:stream';
import type { HeldBytes } from '../kernel/byte-budget.ts';
import { readInTurns } from '../kernel/read-in-turns.ts';
import { SinkFullError } from '../telemetry/ports.ts';
import type { CompressedBody } from './content-encoding.ts';
import type { PayloadTooLargeError } from './intake-errors.ts';

/** The sender disconnected before its request was complete: no response is possible. */
export class SenderGoneError extends Error {}

export interface ReceiveOptions {
  bytesMax: number;
  /** Takes the bytes as they come. */
  held: HeldBytes;
  /** What is thrown beyond `bytesMax`. */
  tooLarge: () => PayloadTooLargeError;
}

/**
 * All bytes of a stream. After a refusal, further bytes are read and discarded. Throws what `tooLarge` returns,
 * `SenderGoneError` and, when too much is held already, `SinkFullError`.
 */
export function receiveBytes(stream: Readable, { bytesMax, held, tooLarge }: ReceiveOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let isRefused = false;
    const refuse = (error: Error) => {
      isRefused = true;
      chunks.length = 0;
      reject(error);
    };
    stream.on('data', (chunk: Buffer) => {
      if (isRefused) return;
      bytes += chunk.length;
      if (bytes > bytesMax) refuse(tooLarge());
      else if (held.grow(chunk.length) !== 'granted') refuse(new SinkFullError());
      else chunks.push(chunk);
    });
    readInTurns(stream);
    stream.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    stream.once('error', () => refuse(new SenderGoneError()));
    stream.once('close', () => refuse(new SenderGoneError()));
  });
}

export interface DecompressOptions {
  held: HeldBytes;
  decompress: (body: CompressedBody) => Promise<Buffer>;
}

/** What was compressed takes room beside what it came of. Throws as `decompress`, and `SinkFullError`. */
export async function decompressHeld(body: CompressedBody, { held, decompress }: DecompressOptions): Promise<Buffer> {
  const inflated = await decompress(body);
  if (held.grow(inflated.length) !== 'granted') throw new SinkFullError();
  return inflated;
}
