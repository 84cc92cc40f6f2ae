import { onBothStores } from '../support/metadata-stores.ts';
import { identityRepositoryContract } from './identity-repository.contract.ts';
import { peopleContract } from './people.contract.ts';

onBothStores((underTest) => {
  for (const contract of [identityRepositoryContract, peopleContract]) {
    contract('this store', async () => ({ identities: underTest().store.identities, close: async () => {} }));
  }
});
