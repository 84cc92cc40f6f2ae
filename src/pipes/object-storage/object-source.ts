import { type Clock, delay } from '../../kernel/clock.ts';
import type { Lane, OpenSource, SourceBatch, SourceJob } from '../source-port.ts';
import { groupBatches } from './group-batches.ts';
import { objectBatches } from './object-batches.ts';
import type { ObjectFormat } from './object-format.ts';
import { donePosition, type GroupPlan, groupPrefix, objectEntry, readPosition } from './object-position.ts';
import type { ObjectStore, StoredObject } from './object-store.ts';

export interface ObjectSourceDeps {
  store: ObjectStore;
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

/** Set when the first listing of a pipe that skips it is done. */
const initialKey = 'initial';
/** Smaller ones are written together. */
const smallShare = 4;
const groupsMax = 10_000;

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
    const { job, isContinuous, pollMs, clock, skipInitialLoad } = this.#deps;
    yield* this.#plannedGroups();
    if (skipInitialLoad) await this.#skipPresent();
    while (!job.signal.aborted) {
      let found = 0;
      for await (const page of this.#deps.store.list(job.signal)) {
        const unread = await this.#unread(page);
        found += unread.length;
        this.#noteLag(unread);
        yield* this.#lanesOf(unread);
      }
      if (found > 0) continue;
      if (!isContinuous) return;
      if (this.#underWay.size === 0) job.onLag(0);
      await delay(clock, pollMs, job.signal);
    }
  }

  async acknowledge({ positions }: SourceBatch): Promise<void> {
    for (const { key, position } of positions) {
      if (readPosition(position)?.isDone) this.#underWay.delete(key);
    }
  }

  async close(): Promise<void> {}

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

  #leave({ key }: Pick<StoredObject, 'key'>): void {
    this.#underWay.delete(objectEntry(key));
  }

  #noteLag(unread: readonly StoredObject[]): void {
    const oldestMs = Math.min(...unread.flatMap(({ modifiedMs }) => modifiedMs ?? []));
    if (Number.isFinite(oldestMs)) this.#deps.job.onLag(Math.max(1, this.#deps.clock.nowMs() - oldestMs));
  }
}
