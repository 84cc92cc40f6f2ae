import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readInTurns, turnBytes } from './read-in-turns.ts';

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A sender that is always faster than we are. */
function fullStream(chunks: number): PassThrough {
  const stream = new PassThrough({ highWaterMark: chunks * turnBytes });
  for (let count = 0; count < chunks; count += 1) stream.write(Buffer.alloc(turnBytes / 4));
  stream.end();
  return stream;
}

describe('reading in turns', () => {
  it('takes no more than 64 kB of a stream before the others go on', async () => {
    const stream = fullStream(64);
    let inTurn = 0;
    let most = 0;
    stream.on('data', (chunk: Buffer) => {
      inTurn += chunk.length;
      most = Math.max(most, inTurn);
    });
    readInTurns(stream);
    const ended = once(stream, 'end').then(() => 'ended');
    while ((await Promise.race([ended, nextTurn()])) !== 'ended') inTurn = 0;
    expect(most).toBeLessThanOrEqual(2 * turnBytes);
  });

  it('returns all of it, also when it is requested twice', async () => {
    const stream = fullStream(64);
    let bytes = 0;
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    readInTurns(stream);
    readInTurns(stream);
    await once(stream, 'end');
    expect(bytes).toBe(16 * turnBytes);
  });

  it('discards what is not read', async () => {
    const stream = fullStream(8);
    readInTurns(stream);
    await once(stream, 'end');
    expect(stream.readableLength).toBe(0);
  });
});
