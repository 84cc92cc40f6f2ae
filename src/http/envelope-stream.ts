import { nextTurn } from '../kernel/next-turn.ts';

/**
 * The bytes of an answer whose data arrive in parts, read only as fast as the client takes them. A part may be megabytes
 * long, so other requests get a turn around each.
 */
export async function* inEnvelope(head: string, parts: AsyncIterable<string>, tail: string): AsyncGenerator<Buffer> {
  yield Buffer.from(head);
  for await (const part of parts) {
    await nextTurn();
    yield Buffer.from(part);
    await nextTurn();
  }
  yield Buffer.from(tail);
}
