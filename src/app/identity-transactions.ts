import type { IdentityStore } from '../access/identity-repository.ts';
import type { TenantTransactions } from '../access/tenant-transactions.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { MetadataStore } from '../metadata/open-metadata.ts';
import type { Repositories } from '../metadata/repositories.ts';
import { TenantDefaults } from '../resources/sources/tenant-defaults.ts';

export interface IdentityTransactionsDeps {
  metadata: Pick<MetadataStore, 'transaction'>;
  ids: Ids;
  clock: Clock;
}

/** Transactions over identities and the defaults of new tenants, for the first start and for commands. */
export function identityTransactions({ metadata, ids, clock }: IdentityTransactionsDeps): TenantTransactions {
  return {
    transaction: (work) =>
      inIdentityTransaction(metadata, ({ sources, connections }, identities) =>
        work({ identities, defaults: new TenantDefaults({ sources, connections, ids, clock }) }),
      ),
  };
}

/** One transaction over all repositories that also holds the lock of identities: one at a time over all processes. */
export function inIdentityTransaction<T>(
  metadata: Pick<MetadataStore, 'transaction'>,
  work: (inside: Repositories, identities: IdentityStore) => Promise<T>,
): Promise<T> {
  return metadata.transaction((inside) => inside.identities.transaction((identities) => work(inside, identities)));
}
