import type { Clock } from '../kernel/clock.ts';

/** Time that templates may take within a minute: of one alert, so that one firing never takes longer, and of a tenant. */
const perAlertMs = 2_000;
const perTenantMs = 10_000;
const windowMs = 60_000;

/** Counts what templates cost, per minute. */
export class RenderBudget {
  readonly #clock: Clock;
  #spent = new Map<string, number>();
  #untilMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  isSpent(tenantId: string, alertId: string): boolean {
    this.#turn();
    return this.#of(tenantId) >= perTenantMs || this.#of(`${tenantId} ${alertId}`) >= perAlertMs;
  }

  spend(tenantId: string, alertId: string, ms: number): void {
    this.#turn();
    for (const key of [tenantId, `${tenantId} ${alertId}`]) this.#spent.set(key, this.#of(key) + ms);
  }

  #of(key: string): number {
    return this.#spent.get(key) ?? 0;
  }

  #turn(): void {
    const nowMs = this.#clock.nowMs();
    if (nowMs < this.#untilMs && nowMs >= this.#untilMs - windowMs) return;
    this.#spent = new Map();
    this.#untilMs = nowMs + windowMs;
  }
}
