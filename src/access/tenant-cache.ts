import type { Clock } from '../kernel/clock.ts';
import type { TenantStore } from './identity-repository.ts';
import type { Tenant, TenantDirectory } from './tenants.ts';

/** Only a tenant's name and time zone ever change, so the past may be served for a while. */
const keepMs = 10_000;

/** Tenants as the store has them; those found are remembered for ten seconds, those missing never. */
export class TenantCache implements TenantDirectory {
  readonly #store: Pick<TenantStore, 'findTenant' | 'listTenants'>;
  readonly #clock: Clock;
  readonly #known = new Map<string, { tenant: Tenant; untilMs: number }>();

  constructor(store: Pick<TenantStore, 'findTenant' | 'listTenants'>, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  async find(tenantId: string): Promise<Tenant | undefined> {
    const nowMs = this.#clock.nowMs();
    const known = this.#known.get(tenantId);
    if (known && nowMs < known.untilMs) return known.tenant;
    const tenant = await this.#store.findTenant(tenantId);
    if (tenant) this.#known.set(tenantId, { tenant, untilMs: nowMs + keepMs });
    return tenant;
  }

  list(): Promise<Tenant[]> {
    return this.#store.listTenants();
  }
}
