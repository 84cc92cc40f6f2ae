export interface FairQueueLimits {
  /** Items of one tenant that wait. */
  waitingPerTenantMax: number;
  /** Items of one tenant that were taken and are not yet finished. */
  runningPerTenantMax: number;
}

interface Lane<Item> {
  waiting: Item[];
  running: number;
}

/** Tenants take turns; within a tenant the order is that of arrival. */
export class FairQueue<Item> {
  readonly #limits: FairQueueLimits;
  /** In the order of turns. */
  readonly #lanes = new Map<string, Lane<Item>>();

  constructor(limits: FairQueueLimits) {
    this.#limits = limits;
  }

  /** `false` when the tenant has too many items waiting. */
  offer(tenantId: string, item: Item): boolean {
    const lane = this.#lanes.get(tenantId) ?? { waiting: [], running: 0 };
    if (lane.waiting.length >= this.#limits.waitingPerTenantMax) return false;
    lane.waiting.push(item);
    this.#lanes.set(tenantId, lane);
    return true;
  }

  /** The item whose turn it is; the caller must call `finished` for its tenant. */
  take(): { tenantId: string; item: Item } | undefined {
    for (const [tenantId, lane] of this.#lanes) {
      if (lane.running >= this.#limits.runningPerTenantMax) continue;
      const item = lane.waiting.shift();
      if (item === undefined) continue;
      lane.running += 1;
      // Back to the end of the round.
      this.#lanes.delete(tenantId);
      this.#lanes.set(tenantId, lane);
      return { tenantId, item };
    }
    return undefined;
  }

  finished(tenantId: string): void {
    const lane = this.#lanes.get(tenantId);
    if (!lane) return;
    lane.running -= 1;
    if (lane.running === 0 && lane.waiting.length === 0) this.#lanes.delete(tenantId);
  }

  /** Everything that waits, which then waits no more. */
  clear(): Item[] {
    return [...this.#lanes.values()].flatMap((lane) => lane.waiting.splice(0));
  }
}
