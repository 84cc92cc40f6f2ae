import { describe, expect, it } from 'vitest';
import { inEnvelope } from './envelope-stream.ts';

async function* partsOf(parts: readonly string[]): AsyncGenerator<string> {
  yield* parts;
}

describe('inEnvelope', () => {
  it.each([[[]], [['[1']], [['[1', ',2', ',"ü€😀"', ']']]])('puts %j between head and tail', async (parts) => {
    const chunks: Buffer[] = [];
    for await (const chunk of inEnvelope('{"data":', partsOf(parts), '}')) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe(`{"data":${parts.join('')}}`);
  });

  it('lets others have a turn before and after each part, although all parts are ready', async () => {
    let turns = 0;
    const count = () => {
      turns += 1;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    const turnsBefore: number[] = [];
    for await (const _ of inEnvelope('[', partsOf(['1', ',2', ',3']), ']')) turnsBefore.push(turns);
    clearImmediate(counting);
    const waits = turnsBefore.slice(1).map((turn, index) => turn - (turnsBefore[index] ?? 0));
    expect(Math.min(...waits)).toBeGreaterThan(0);
  });
});
