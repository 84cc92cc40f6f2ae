import type { IdentityStore } from '../../access/identity-repository.ts';
import type { Tenant } from '../../access/tenants.ts';
import type { WebhookInput } from '../../contract/webhook.ts';

/**
 * What one kind of resource does with an entry of the file: makes the object, or resets the one with the same name (for
 * pipes: id) to it; its id stays. A wrong entry throws a `ProvisioningProblem` whose path starts at the entry, or an
 * `AppError` whose public text says where and why.
 */
export interface ProvisionedKind<Entry> {
  apply(tenant: Tenant, entry: Entry): Promise<void>;
}

/** What every new tenant has (decisions S1). */
export interface NewTenantDefaults {
  /** The built-in connection, and the sources Logs, Traces and Metrics. */
  createDefaults(tenant: Tenant): Promise<void>;
  /** The built-in connection only. */
  ensureBuiltInConnection(tenant: Tenant): Promise<unknown>;
}

/** Everything that provisioning writes through, inside one transaction. */
export interface ProvisioningScope {
  identities: IdentityStore;
  defaults: NewTenantDefaults;
  webhooks: ProvisionedKind<WebhookInput>;
  /** Bodies of sources; `connection` and `from.databaseName` may be left out: the tenant's own. */
  sources: ProvisionedKind<{ name: string }>;
  /** Bodies of POST /dashboards. */
  dashboards: ProvisionedKind<{ name: string }>;
  pipes: ProvisionedKind<{ id: string; name: string }>;
}

export interface ProvisioningStore {
  /** Commits when `work` resolves, rolls everything back when it throws; one at a time over all processes. */
  transaction<T>(work: (scope: ProvisioningScope) => Promise<T>): Promise<T>;
}
