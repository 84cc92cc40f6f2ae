import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FakeClock } from '../../kernel/fake-clock.ts';
import { type Change, ChangeCutter, type Cut } from './change-cuts.ts';
import type { Relation } from './pgoutput.ts';
import type { StreamMessage } from './replication-stream.ts';
import { printPosition, type StreamPosition, streamStart } from './stream-position.ts';

const relation: Relation = { oid: 1, schema: 'public', table: 't', identity: 'd', columns: [] };

/** Transactions with so many changes each, as the server sends them; the places are those of the changes. */
function messagesOf(transactions: readonly number[], confirmed: bigint): StreamMessage[] {
  const messages: StreamMessage[] = [{ tag: 'relation', relation, lsn: 0n, bytes: 1 }];
  let lsn = 100n;
  for (const changes of transactions) {
    const commitLsn = lsn + BigInt(changes) * 10n;
    const isWanted = commitLsn + 8n > confirmed;
    const sent: StreamMessage[] = [{ tag: 'begin', commitLsn, commitMs: 0, lsn, bytes: 1 }];
    for (let at = 0; at < changes; at++) {
      sent.push({ tag: 'insert', oid: 1, row: [], lsn, bytes: 1 });
      lsn += 10n;
    }
    lsn += 10n;
    sent.push({ tag: 'commit', endLsn: commitLsn + 8n, lsn, bytes: 1 });
    if (isWanted) messages.push(...sent);
  }
  return messages;
}

/** A server and a process that dies after so many cuts, before or after the last one was durable. */
class World {
  confirmed = 0n;
  position = streamStart;
  planned: StreamPosition | undefined;
  readonly durable = new Map<string, bigint[]>();
  readonly #transactions: readonly number[];

  constructor(transactions: readonly number[]) {
    this.#transactions = transactions;
  }

  async run(cuts: number, changesMax: number, isLastDurable: boolean): Promise<void> {
    const ending = new AbortController();
    const messages = messagesOf(this.#transactions, this.confirmed);
    const stream = {
      take: async () => {
        const message = messages.shift();
        if (!message) ending.abort();
        return message;
      },
      confirm: (lsn: bigint) => {
        if (lsn > this.confirmed) this.confirmed = lsn;
      },
    };
    const cutter = new ChangeCutter(stream, {
      from: this.position,
      plannedEnd: this.planned,
      changesMax,
      bytesMax: 1_000_000,
      syncIntervalMs: 1_000,
      clock: new FakeClock(),
      signal: ending.signal,
      onCaughtUp: () => {},
    });
    for (let number = 0; number < cuts; number++) {
      const cut = await cutter.next();
      if (!cut) return;
      this.#write(cut);
      if (number === cuts - 1 && !isLastDurable) return;
      this.position = cut.to;
      this.planned = undefined;
      stream.confirm(cut.confirmLsn);
    }
  }

  /** The same name means the same rows, and stores them once. */
  #write(cut: Cut): void {
    this.planned = cut.to;
    const name = `${printPosition(this.position)}/${printPosition(cut.to)}`;
    const lsns = cut.changes.map((change: Change) => change.lsn);
    const before = this.durable.get(name);
    if (before) expect(lsns).toEqual(before);
    this.durable.set(name, lsns);
  }
}

it('however often the process dies, each change is in one cut, and a cut that is made again is the same', async () => {
  const life = fc.record({
    cuts: fc.integer({ min: 1, max: 4 }),
    changesMax: fc.integer({ min: 1, max: 7 }),
    isLastDurable: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 12 }),
      fc.array(life),
      async (transactions, lives) => {
        const world = new World(transactions);
        for (const { cuts, changesMax, isLastDurable } of lives) await world.run(cuts, changesMax, isLastDurable);
        await world.run(1_000, 1, true);
        const all = messagesOf(transactions, 0n).flatMap((message) => (message.tag === 'insert' ? [message.lsn] : []));
        expect([...world.durable.values()].flat()).toEqual(all);
      },
    ),
  );
});
