import { nextTurn } from '../kernel/next-turn.ts';

/** The bytes of parts that may be megabytes long: other requests get a turn around each. */
export async function* partsInTurns(parts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const part of parts) {
    await nextTurn();
    yield Buffer.from(part);
    await nextTurn();
  }
}
