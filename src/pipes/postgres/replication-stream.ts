import type pg from 'pg';
import type { Clock } from '../../kernel/clock.ts';
import type { Lsn } from './lsn.ts';
import { decodePgoutput, type PgoutputMessage, timeMsOf } from './pgoutput.ts';
import { type PostgresWire, wireOf } from './postgres-connections.ts';
import { quoteIdentifier } from './quote-identifier.ts';

export type StreamMessage =
  | (PgoutputMessage & { lsn: Lsn; bytes: number })
  /** The server has sent everything up to there. */
  | { tag: 'keepalive'; endLsn: Lsn; sentMs: number; bytes: 0 };

/** Bytes that wait to be taken before the server has to wait. */
const waitingBytesMax = 16 * 1024 * 1024;
const messagesMax = 20_000;
const statusMs = 5_000;
const postgresEpochMs = 946_684_800_000;

/**
 * Changes in the order in which they were committed. The server is asked for more only while few wait to be taken, and
 * forgets changes only after `confirm`.
 */
export class ReplicationStream {
  readonly #wire: PostgresWire;
  readonly #messages: StreamMessage[] = [];
  #next = 0;
  #waitingBytes = 0;
  #isPaused = false;
  #failure: { error: unknown } | undefined;
  #wake: () => void = () => {};
  #confirmed: Lsn = 0n;
  readonly #clock: Clock;
  #cancelReport: () => void = () => {};

  constructor(client: pg.Client, names: { slot: string; publication: string }, clock: Clock) {
    this.#clock = clock;
    this.#wire = wireOf(client);
    this.#wire.on('copyData', ({ chunk }) => this.#receive(chunk));
    const publication = quoteIdentifier(names.publication).replaceAll("'", "''");
    const options = `proto_version '1', publication_names '${publication}'`;
    const start = `START_REPLICATION SLOT ${quoteIdentifier(names.slot)} LOGICAL 0/0 (${options})`;
    client.query(start).then(
      () => this.#fail(new Error('the stream of changes has ended')),
      (error: unknown) => this.#fail(error),
    );
    client.on('error', (error) => this.#fail(error));
    client.once('end', () => this.#fail(new Error('the connection has ended')));
    this.#reportLater();
  }

  /** The next message; `undefined` when none came within `waitMs`. Throws when the connection has ended. */
  async take(waitMs: number): Promise<StreamMessage | undefined> {
    const ready = this.#shift();
    if (ready || waitMs <= 0) return ready;
    this.#throwFailure();
    await new Promise<void>((resolve) => {
      const cancel = this.#clock.after(waitMs, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
    const message = this.#shift();
    if (!message) this.#throwFailure();
    return message;
  }

  /** Everything before this place is durable elsewhere. */
  confirm(lsn: Lsn): void {
    if (lsn <= this.#confirmed) return;
    this.#confirmed = lsn;
    this.#report();
  }

  stop(): void {
    this.#cancelReport();
    this.#fail(new Error('the stream was closed'));
  }

  #shift(): StreamMessage | undefined {
    const message = this.#messages[this.#next];
    if (!message) return undefined;
    this.#next++;
    if (this.#next > 1_000 && this.#next * 2 > this.#messages.length) {
      this.#messages.splice(0, this.#next);
      this.#next = 0;
    }
    this.#waitingBytes -= message.bytes;
    const isLow = this.#waitingBytes < waitingBytesMax / 2 && this.#messages.length - this.#next < messagesMax / 2;
    if (this.#isPaused && isLow) {
      this.#isPaused = false;
      this.#wire.stream.resume();
    }
    return message;
  }

  #receive(chunk: Buffer): void {
    const kind = chunk[0];
    if (kind === 0x77) this.#receiveChange(chunk);
    if (kind === 0x6b) {
      const endLsn = chunk.readBigUInt64BE(1);
      this.#push({ tag: 'keepalive', endLsn, sentMs: timeMsOf(chunk.readBigInt64BE(9)), bytes: 0 });
      if (chunk[17] === 1) this.#report();
    }
  }

  #receiveChange(chunk: Buffer): void {
    try {
      const message = decodePgoutput(chunk.subarray(25));
      if (message) this.#push({ ...message, lsn: chunk.readBigUInt64BE(1), bytes: chunk.length });
    } catch (error) {
      this.#fail(error);
    }
  }

  #push(message: StreamMessage): void {
    this.#messages.push(message);
    this.#waitingBytes += message.bytes;
    const isFull = this.#waitingBytes > waitingBytesMax || this.#messages.length - this.#next > messagesMax;
    if (isFull && !this.#isPaused) {
      this.#isPaused = true;
      this.#wire.stream.pause();
    }
    this.#wake();
  }

  #throwFailure(): void {
    if (this.#failure) throw this.#failure.error;
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wake();
  }

  /** Also when nothing is new: the server ends connections that do not answer. */
  #reportLater(): void {
    this.#cancelReport = this.#clock.after(statusMs, () => {
      this.#report();
      this.#reportLater();
    });
  }

  #report(): void {
    if (this.#failure) return;
    const message = Buffer.alloc(34);
    message.write('r');
    for (const at of [1, 9, 17]) message.writeBigUInt64BE(this.#confirmed, at);
    message.writeBigInt64BE(BigInt(this.#clock.nowMs() - postgresEpochMs) * 1000n, 25);
    this.#wire.sendCopyFromChunk(message);
  }
}
