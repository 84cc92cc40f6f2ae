import type { Readable } from 'node:stream';
import { TelemetryError } from './ports.ts';

const megabyte = 1024 * 1024;

/** Of one answer, as text and before it is turned into text. */
export const answerBytesMax = 64 * megabyte;
/** ClickHouse's TOO_MANY_ROWS_OR_BYTES, also where we are the ones who count. */
const tooManyBytes = 396;

/**
 * A complete answer, or none: a server that sends more than `bytesMax` is disconnected, since a connected database may
 * send without end. Throws `TelemetryError` of kind `limit`.
 */
export async function readAnswer(body: Readable, bytesMax = answerBytesMax): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  const incoming: AsyncIterable<Buffer> = body;
  for await (const piece of incoming) {
    bytes += piece.byteLength;
    // Leaving the loop destroys the stream, and the connection with it.
    if (bytes > bytesMax)
      throw new TelemetryError('limit', `the answer is larger than ${bytesMax} bytes`, tooManyBytes);
    pieces.push(piece);
  }
  return Buffer.concat(pieces, bytes);
}
