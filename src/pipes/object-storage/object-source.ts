import { type Clock, delay } from '../../kernel/clock.ts';
import type { Lane, OpenSource, SourceBatch, SourceJob } from '../source-port.ts';
import { groupBatches } from './group-batches.ts';
import { objectBatches } from './object-batches.ts';
import type { ObjectEvents } from './object-events.ts';
import type { ObjectFormat } from './object-format.ts';
import {
  donePosition,
  type GroupPlan,
  groupPrefix,
  objectEntry,
  objectKeyOf,
  readPosition,
} from './object-position.ts';
import type { ObjectStore, StoredObject } from './object-store.ts';

export interface ObjectSourceDeps {
  store: ObjectStore;
  /** What says which objects are new; absent = listings. */
  events?: ObjectEvents;
  job: SourceJob;
  format: ObjectFormat;
  /** By its name in the settings. */
  compression: string | undefined;
  isContinuous: boolean;
  skipInitialLoad: boolean;
  pollMs: number;
  /** Objects in one batch. */
  filesMax: number;
  clock: Clock;
}

/** Set when what was there at first has been skipped, or, with a queue, read. */
const initialKey = 'initial';
/** Smaller ones are written together. */
const smallShare = 4;
const groupsMax = 10_000;
/** How often it is looked whether what is being written is written. */
const writtenPollMs = 500;

/** The objects of a store, each version once: large ones in parts, small ones together. */
export class ObjectSource implements OpenSource {
  readonly phase = 'stream';
  readonly #deps: ObjectSourceDeps;
  /** Objects whose lanes are not finished. */
  readonly #underWay = new Set<string>();

  constructor(deps: ObjectSourceDeps) {
    this.#deps = deps;
  }

  async *lanes(): AsyncGenerator<Lane> {
    const { job, isContinuous, pollMs, clock, skipInitialLoad, events } = this.#deps;
    yield* this.#plannedGroups();
    if (events) return yield* this.#followEvents(events);
    if (skipInitialLoad) await this.#skipPresent();
    while (!job.signal.aborted) {
      if (yield* this.#listed()) continue;
      if (!isContinuous) return;
      if (this.#underWay.size === 0) job.onLag(0);
      await delay(clock, pollMs, job.signal);
    }
  }

  async acknowledge({ positions }: SourceBatch): Promise<void> {
    for (const { key, position } of positions) {
      const read = readPosition(objectKeyOf(key) === undefined ? undefined : position);
      if (read?.isDone) this.#leave({ key: objectKeyOf(key) ?? '', version: read.version });
    }
    await this.#deps.events?.flush();
  }

  async close(): Promise<void> {
    await this.#deps.events?.close();
  }

  /** What a listing has that is not read; whether there was anything. */
  async *#listed(): AsyncGenerator<Lane, boolean> {
    let found = 0;
    for await (const page of this.#deps.store.list(this.#deps.job.signal)) {
      const unread = await this.#unread(page);
      found += unread.length;
      this.#noteLag(unread);
      yield* this.#lanesOf(unread);
    }
    return found > 0;
  }

  /** What was there at first, then what messages name. */
  async *#followEvents(events: ObjectEvents): AsyncGenerator<Lane> {
    const { job, skipInitialLoad } = this.#deps;
    if (!skipInitialLoad) yield* this.#initialLoad();
    /** Objects of which an earlier version is being read. */
    let later: StoredObject[] = [];
    while (!job.signal.aborted) {
      const named = [...later, ...(await events.receive(later.length === 0))];
      later = named.filter(({ key }, index) => this.#isTaken(key) || named.findIndex((one) => one.key === key) < index);
      const now = named.filter((object) => !later.includes(object));
      const unread = await this.#unread(now);
      for (const object of now) if (!unread.includes(object)) events.settle(object);
      this.#noteLag(unread);
      yield* this.#lanesOf(unread);
      if (named.length === 0 && this.#underWay.size === 0) job.onLag(0);
    }
  }

  /** Once, in the life of the pipe: until a listing has nothing that is not durable. */
  async *#initialLoad(): AsyncGenerator<Lane> {
    const { job, clock, pollMs } = this.#deps;
    if ((await job.ledger.find(job.pipe.id, [initialKey])).size > 0) return;
    while (!job.signal.aborted) {
      if (yield* this.#listed()) continue;
      if (this.#underWay.size === 0) return job.plan([{ key: initialKey, position: 'read' }]);
      await delay(clock, Math.min(pollMs, writtenPollMs), job.signal);
    }
  }

  #isTaken(key: string): boolean {
    return this.#underWay.has(objectEntry(key));
  }

  /** Batches whose rows may have been written before the process died: the same ones again, first. */
  async *#plannedGroups(): AsyncGenerator<Lane> {
    const { job } = this.#deps;
    for (const { key, position = '' } of await job.ledger.list(job.pipe.id, groupPrefix, groupsMax)) {
      // Written by `groupBatches`.
      const { objects } = JSON.parse(position) as GroupPlan;
      for (const object of objects) this.#underWay.add(objectEntry(object.key));
      yield groupBatches(this.#deps, objects, { planned: key, onGone: (gone) => this.#leave(gone) });
    }
  }

  /** Everything that is there counts as read. */
  async #skipPresent(): Promise<void> {
    const { job, store } = this.#deps;
    if ((await job.ledger.find(job.pipe.id, [initialKey])).size > 0) return;
    for await (const page of store.list(job.signal)) {
      await job.plan(page.map(({ key, version }) => ({ key: objectEntry(key), position: donePosition(version) })));
    }
    if (!job.signal.aborted) await job.plan([{ key: initialKey, position: 'skipped' }]);
  }

  async #unread(page: readonly StoredObject[]): Promise<StoredObject[]> {
    const { job } = this.#deps;
    const fresh = page.filter(({ key }) => !this.#underWay.has(objectEntry(key)));
    const known = await job.ledger.find(
      job.pipe.id,
      fresh.map(({ key }) => objectEntry(key)),
    );
    return fresh.filter(({ key, version }) => {
      const position = readPosition(known.get(objectEntry(key)));
      return !(position?.isDone && position.version === version);
    });
  }

  *#lanesOf(objects: readonly StoredObject[]): Generator<Lane> {
    const { job, format, filesMax } = this.#deps;
    const { batchBytesMax } = job.limits;
    let group: StoredObject[] = [];
    let groupBytes = 0;
    for (const object of objects) {
      this.#underWay.add(objectEntry(object.key));
      if (!format.isText || object.size > batchBytesMax / smallShare) {
        yield objectBatches(this.#deps, object, (gone) => this.#leave(gone));
        continue;
      }
      if (group.length >= filesMax || groupBytes + object.size > batchBytesMax) {
        yield this.#group(group);
        [group, groupBytes] = [[], 0];
      }
      group.push(object);
      groupBytes += object.size;
    }
    if (group.length > 0) yield this.#group(group);
  }

  #group(objects: readonly StoredObject[]): Lane {
    return groupBatches(this.#deps, objects, { onGone: (gone) => this.#leave(gone) });
  }

  #leave(object: Pick<StoredObject, 'key' | 'version'>): void {
    this.#underWay.delete(objectEntry(object.key));
    this.#deps.events?.settle(object);
  }

  #noteLag(unread: readonly StoredObject[]): void {
    const oldestMs = Math.min(...unread.flatMap(({ modifiedMs }) => modifiedMs ?? []));
    if (Number.isFinite(oldestMs)) this.#deps.job.onLag(Math.max(1, this.#deps.clock.nowMs() - oldestMs));
  }
}
