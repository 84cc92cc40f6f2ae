import type { IdentityStore } from './identity-repository.ts';
import type { Tenant } from './tenants.ts';

/** What is at hand inside a transaction that makes tenants. */
export interface TenantScope {
  identities: IdentityStore;
  defaults: {
    /** Gives a new tenant its built-in connection and the sources Logs, Traces and Metrics (decisions S1). */
    createDefaults(tenant: Tenant): Promise<void>;
  };
}

/** Port: transactions in which tenants can be made, one at a time over all processes on the store. */
export interface TenantTransactions {
  /** Commits when `work` resolves, rolls back when it throws. */
  transaction<T>(work: (scope: TenantScope) => Promise<T>): Promise<T>;
}
