import type { Clock } from '../kernel/clock.ts';
import type { MistimedCount, MistimedRecords } from '../telemetry/ports.ts';
import type { Signal } from './signal.ts';

/** A sender whose clock was set right is forgotten after this time. */
const rememberedMs = 3_600_000;

/** What this process rejected lately because the sender's clock is wrong, for those who look after the senders. */
export class MistimedLog implements MistimedRecords {
  readonly #clock: Clock;
  readonly #tenants = new Map<string, MistimedCount[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  record(tenantId: string, signal: Signal, rejected: { behind: number; ahead: number }): void {
    for (const clock of ['behind', 'ahead'] as const) {
      if (rejected[clock] > 0) this.#add(tenantId, { signal, clock, records: rejected[clock] });
    }
  }

  recent(tenantId: string): readonly MistimedCount[] {
    const sinceMs = this.#clock.nowMs() - rememberedMs;
    return (this.#tenants.get(tenantId) ?? []).filter(({ lastAtMs }) => lastAtMs > sinceMs);
  }

  #add(tenantId: string, { signal, clock, records }: Omit<MistimedCount, 'lastAtMs'>): void {
    const recent = this.recent(tenantId);
    const isSame = (count: MistimedCount) => count.signal === signal && count.clock === clock;
    const before = recent.find(isSame)?.records ?? 0;
    const now = { signal, clock, records: before + records, lastAtMs: this.#clock.nowMs() };
    this.#tenants.set(tenantId, [...recent.filter((count) => !isSame(count)), now]);
  }
}
