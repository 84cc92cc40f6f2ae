import { partsInTurns } from './parts-in-turns.ts';

/** The bytes of an answer whose data arrive in parts, read only as fast as the client takes them. */
export async function* inEnvelope(head: string, parts: AsyncIterable<string>, tail: string): AsyncGenerator<Buffer> {
  yield Buffer.from(head);
  yield* partsInTurns(parts);
  yield Buffer.from(tail);
}
