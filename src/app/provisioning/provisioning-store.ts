import type { IdentityStore } from '../../access/identity-repository.ts';
import type { SecretBox } from '../../access/secret-box.ts';
import type { Repositories } from '../../metadata/repositories.ts';
import { StoredReferenceUsers } from '../../resources/dashboards/stored-reference-users.ts';
import { TenantDefaults } from '../../resources/sources/tenant-defaults.ts';
import { type IdentityTransactionsDeps, inIdentityTransaction } from '../identity-transactions.ts';
import { pipeService } from '../pipe-service.ts';
import { ProvisionedDashboards } from './provisioned-dashboards.ts';
import { ProvisionedPipes } from './provisioned-pipes.ts';
import { ProvisionedSources } from './provisioned-sources.ts';
import { ProvisionedWebhooks } from './provisioned-webhooks.ts';
import type { ProvisioningScope, ProvisioningStore } from './provisioning-ports.ts';

export interface ProvisioningStoreDeps extends IdentityTransactionsDeps {
  secrets: SecretBox;
}

/** Provisioning over the metadata store: all repositories in one transaction, one process at a time. */
export function provisioningStore(deps: ProvisioningStoreDeps): ProvisioningStore {
  return {
    transaction: (work) =>
      inIdentityTransaction(deps.metadata, (inside, identities) => work(scopeOver(inside, identities, deps))),
  };
}

function scopeOver(
  repositories: Repositories,
  identities: IdentityStore,
  { secrets, ids, clock }: ProvisioningStoreDeps,
): ProvisioningScope {
  const { webhooks, sources, connections, dashboards, pipes, pipeRuns: runs } = repositories;
  const users = new StoredReferenceUsers(repositories);
  const tenants = { find: (id: string) => identities.findTenant(id), list: () => identities.listTenants() };
  return {
    identities,
    defaults: new TenantDefaults({ sources, connections, ids, clock }),
    webhooks: new ProvisionedWebhooks({ webhooks, secrets, ids, clock }),
    sources: new ProvisionedSources({ sources, connections, users, tenants, ids }),
    dashboards: new ProvisionedDashboards({ dashboards, sources, connections, ids, clock }),
    pipes: new ProvisionedPipes(pipeService({ pipes, runs, secrets, clock })),
  };
}
