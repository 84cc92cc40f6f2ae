import type { SecretBox } from '../../access/secret-box.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { MetadataStore } from '../../metadata/open-metadata.ts';
import type { Repositories } from '../../metadata/repositories.ts';
import { TenantDefaults } from '../../resources/sources/tenant-defaults.ts';
import { ProvisionedDashboards } from './provisioned-dashboards.ts';
import { ProvisionedSources } from './provisioned-sources.ts';
import { ProvisionedWebhooks } from './provisioned-webhooks.ts';
import type { ProvisioningScope, ProvisioningStore } from './provisioning-ports.ts';

export interface ProvisioningStoreParts {
  metadata: Pick<MetadataStore, 'transaction'>;
  secrets: SecretBox;
  ids: Ids;
  clock: Clock;
}

/** Provisioning over the metadata store: all repositories in one transaction, one process at a time. */
export function provisioningStore({ metadata, ...tools }: ProvisioningStoreParts): ProvisioningStore {
  return {
    transaction: (work) =>
      metadata.transaction((inside) =>
        // Joins the transaction around it and takes the lock of identities.
        inside.identities.transaction((identities) => work(scopeOver(inside, tools, identities))),
      ),
  };
}

function scopeOver(
  inside: Repositories,
  { secrets, ids, clock }: Omit<ProvisioningStoreParts, 'metadata'>,
  identities: ProvisioningScope['identities'],
): ProvisioningScope {
  const { webhooks, sources, connections, dashboards } = inside;
  const tenants = { find: (id: string) => identities.findTenant(id), list: () => identities.listTenants() };
  return {
    identities,
    defaults: new TenantDefaults({ sources, connections, ids, clock }),
    webhooks: new ProvisionedWebhooks({ webhooks, secrets, ids, clock }),
    sources: new ProvisionedSources({ sources, connections, tenants, ids }),
    dashboards: new ProvisionedDashboards({ dashboards, sources, connections, ids }),
  };
}
