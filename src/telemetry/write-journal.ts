import { wholeOf } from './block-times.ts';
import type { Stretch } from './ports.ts';

interface Written {
  /** Place in the order of writes; `undefined` while it is running or its outcome is unknown. */
  ended: number | undefined;
  stretches: readonly Stretch[] | 'everything';
}

/** Beyond this, old writes are merged. */
const writesMax = 512;
const stretchesMax = 256;

/** The writes to one table: every one since the start of the program, the older ones more coarsely. */
export class WriteJournal {
  /** In the order in which they ended. */
  #ended: Written[] = [];
  readonly #open = new Map<string, Written>();

  /** A further attempt of a write that is known by its token changes nothing. */
  begin(token: string, stretches: Written['stretches']): void {
    if (this.#open.has(token)) return;
    this.#open.set(token, { ended: undefined, stretches });
  }

  end(token: string, sequence: number): void {
    const write = this.#open.get(token);
    if (!write) return;
    this.#open.delete(token);
    this.#ended.push({ ...write, ended: sequence });
    if (this.#ended.length > writesMax) this.#ended = compacted(this.#ended);
  }

  /** What may have been written after this place in the order of writes. */
  since(mark: number): readonly Stretch[] | 'everything' {
    const found: Stretch[] = [];
    for (const { stretches } of this.#after(mark)) {
      if (stretches === 'everything') return 'everything';
      for (const stretch of stretches) found.push(stretch);
    }
    return mergeStretches(found);
  }

  *#after(mark: number): Generator<Written> {
    yield* this.#open.values();
    for (let at = this.#ended.length - 1; at >= 0; at--) {
      const write = this.#ended[at];
      if (!write || (write.ended ?? 0) <= mark) return;
      yield write;
    }
  }
}

/** The older half, four writes each as one that ended with the last of them. */
function compacted(writes: readonly Written[]): Written[] {
  const half = Math.floor(writes.length / 2);
  const joined: Written[] = [];
  for (let at = 0; at < half; at += 4) joined.push(together(writes.slice(at, Math.min(at + 4, half))));
  return [...joined, ...writes.slice(half)];
}

function together(writes: readonly Written[]): Written {
  const ended = writes.at(-1)?.ended;
  const all: Stretch[] = [];
  for (const { stretches } of writes) {
    if (stretches === 'everything') return { ended, stretches };
    for (const stretch of stretches) all.push(stretch);
  }
  const merged = mergeStretches(all);
  return { ended, stretches: merged.length > stretchesMax ? [wholeOf(merged)] : merged };
}

function mergeStretches(stretches: readonly Stretch[]): Stretch[] {
  const merged: Stretch[] = [];
  for (const { startMs, endMs } of stretches.toSorted((a, b) => a.startMs - b.startMs)) {
    const last = merged.at(-1);
    if (last && last.endMs >= startMs) last.endMs = Math.max(last.endMs, endMs);
    else merged.push({ startMs, endMs });
  }
  return merged;
}
