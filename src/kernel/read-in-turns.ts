import type { Readable } from 'node:stream';

/** What is read of one sender before the others have their turn. */
export const turnBytes = 64 * 1024;

const taking = new WeakSet<Readable>();

/**
 * Yields to the event loop after each 64 kB of a stream that is read, or discarded, to its end. Node.js reads two
 * megabytes of a connection in one go if its sender is fast: a hundred such senders would block the event loop for
 * tenths of a second.
 */
export function readInTurns(stream: Readable): void {
  if (taking.has(stream) || stream.readableEnded || stream.destroyed) return;
  taking.add(stream);
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes < turnBytes) return;
    bytes = 0;
    stream.pause();
    setImmediate(() => stream.resume());
  });
}
