import { UnixNano, unstorableTime } from './unix-nano.ts';

const dayMs = 86_400_000;
/** Senders' clocks differ; a time further ahead than this is a wrong clock, and no query would find the record. */
const aheadMaxMs = dayMs;

export const tooEarly = 'a time is more than a day ahead of the clock here';

/** When a request arrived, and which times of records are kept. */
export class Arrival {
  readonly nowMs: number;
  /** Why a record is rejected whose time is before those that are kept. */
  readonly tooLate: string;
  readonly #oldest = new UnixNano();
  readonly #newest = new UnixNano();

  /** `retentionDays`: the store drops what is older; `undefined` = every time that can be stored is taken. */
  constructor(nowMs: number, retentionDays?: number) {
    this.nowMs = nowMs;
    this.tooLate = `a time is older than the ${retentionDays} days that are kept`;
    const bounded = retentionDays !== undefined;
    this.#oldest.setMilliseconds(bounded ? Math.max(0, nowMs - retentionDays * dayMs) : 0);
    if (bounded) this.#newest.setMilliseconds(nowMs + aheadMaxMs);
    else this.#newest.setLargestStorable();
  }

  /** Why a record with this time can't be kept, if so. */
  whyNotKept(time: UnixNano): string | undefined {
    if (time.isBefore(this.#oldest)) return this.tooLate;
    if (!this.#newest.isBefore(time)) return undefined;
    return time.isStorable ? tooEarly : unstorableTime;
  }
}
