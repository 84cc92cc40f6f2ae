import { onBothStores } from '../support/metadata-stores.ts';
import { identityRepositoryContract } from './identity-repository.contract.ts';

onBothStores((underTest) =>
  identityRepositoryContract('this store', async () => ({
    identities: underTest().store.identities,
    close: async () => {},
  })),
);
