import type { Clock } from '../../kernel/clock.ts';
import type { StoredObject } from './object-store.ts';
import { type CreatedObject, createdObjects } from './s3-notification.ts';
import type { QueueMessage, SqsQueue } from './sqs-queue.ts';

export interface ObjectEventsDeps {
  queue: Pick<SqsQueue, 'receive' | 'remove' | 'hide'>;
  bucket: string;
  /** Whether the pipe is about an object. */
  isWanted: (key: string) => boolean;
  /** What a message leaves out; `undefined` = the object is gone. */
  look: (key: string, signal: AbortSignal) => Promise<StoredObject | undefined>;
  /** Objects that are handed out at the same time. */
  objectsMax: number;
  waitSeconds: number;
  clock: Clock;
  signal: AbortSignal;
}

/** A message whose objects are not all written yet. */
interface HeldMessage {
  receipt: string;
  left: number;
}

const hiddenSeconds = 120;
const renewMs = 40_000;
const lastWordMs = 2_000;

/**
 * Objects that the messages of a queue name. A message is removed when all its objects are written or gone, and kept from others
 * until then. Messages about no object of the pipe are removed; those that are not from S3, or about another bucket, are
 * left to come back, and to the queue's own rules for what is not taken.
 */
export class ObjectEvents {
  readonly #deps: ObjectEventsDeps;
  readonly #held = new Set<HeldMessage>();
  /** By object and version, messages that wait for it. */
  readonly #waiting = new Map<string, HeldMessage[]>();
  #done: string[] = [];
  #cancelRenewal: () => void;

  constructor(deps: ObjectEventsDeps) {
    this.#deps = deps;
    this.#cancelRenewal = deps.clock.after(renewMs, () => this.#renew());
  }

  /** Objects that messages name; waits for the first message, and takes what else is there. Throws `SourceError`. */
  async receive(isWaiting: boolean): Promise<StoredObject[]> {
    const { queue, objectsMax, waitSeconds, signal } = this.#deps;
    const found: StoredObject[] = [];
    for (let wait = isWaiting ? waitSeconds : 1; found.length < objectsMax && !signal.aborted; wait = 0) {
      const messages = await queue.receive(wait, hiddenSeconds, signal);
      if (messages.length === 0) break;
      for (const message of messages) found.push(...(await this.#take(message)));
    }
    await this.flush();
    return found;
  }

  /** The object is written, or there is nothing of it to write. */
  settle({ key, version }: Pick<StoredObject, 'key' | 'version'>): void {
    const name = nameOf(key, version);
    for (const message of this.#waiting.get(name) ?? []) this.#progress(message);
    this.#waiting.delete(name);
  }

  /** Removes messages that are done with; those that cannot be removed now are tried again with the next, or at the end. */
  async flush(): Promise<void> {
    const done = this.#done.splice(0);
    if (done.length === 0) return;
    try {
      await this.#deps.queue.remove(done, this.#deps.signal);
    } catch (error) {
      this.#done.push(...done);
      throw error;
    }
  }

  /** What is not written is given back, so that the next run has it without waiting. */
  async close(): Promise<void> {
    this.#cancelRenewal();
    const signal = AbortSignal.timeout(lastWordMs);
    const left = [...this.#held].map(({ receipt }) => receipt);
    // Without it, they come back later.
    await this.#deps.queue.remove(this.#done.splice(0), signal).catch(() => {});
    await this.#deps.queue.hide(left, 0, signal).catch(() => {});
  }

  async #take({ receipt, body }: QueueMessage): Promise<StoredObject[]> {
    const created = createdObjects(body, this.#deps.bucket);
    if (!created) return [];
    const wanted = created.filter(({ key }) => this.#deps.isWanted(key));
    const message: HeldMessage = { receipt, left: wanted.length };
    if (wanted.length === 0) this.#done.push(receipt);
    else this.#held.add(message);
    const objects: StoredObject[] = [];
    for (const one of wanted) {
      const object = await this.#described(one);
      if (!object) {
        this.#progress(message);
        continue;
      }
      const name = nameOf(object.key, object.version);
      const waiting = this.#waiting.get(name);
      if (waiting) waiting.push(message);
      else {
        this.#waiting.set(name, [message]);
        objects.push(object);
      }
    }
    return objects;
  }

  async #described({ key, etag, size, createdMs }: CreatedObject): Promise<StoredObject | undefined> {
    if (etag === undefined || size === undefined) return this.#deps.look(key, this.#deps.signal);
    return { key, version: etag, size, ...(createdMs !== undefined && { modifiedMs: createdMs }) };
  }

  #progress(message: HeldMessage): void {
    if (--message.left > 0) return;
    this.#held.delete(message);
    this.#done.push(message.receipt);
  }

  #renew(): void {
    const { queue, clock, signal } = this.#deps;
    const receipts = [...this.#held].map(({ receipt }) => receipt);
    this.#cancelRenewal = clock.after(renewMs, () => this.#renew());
    // A message that is received twice is still read once.
    queue.hide(receipts, hiddenSeconds, signal).catch(() => {});
  }
}

function nameOf(key: string, version: string): string {
  return `${version} ${key}`;
}
