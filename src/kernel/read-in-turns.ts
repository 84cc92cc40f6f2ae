import type { Readable } from 'node:stream';

/** What is read of one sender before the others have their turn. */
export const turnBytes = 64 * 1024;

const taking = new WeakSet<Readable>();

/**
 * Lets everybody else go on after each 64 kB of a stream that is read, or thrown away, to its end. Node.js reads two
 * megabytes of a connection at once when its sender is fast: a hundred such senders would hold the event loop for
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
