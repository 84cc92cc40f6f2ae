import { identityRepositoryContract } from '../../test/contract/identity-repository.contract.ts';
import { FakeIdentityRepository } from './fake-identity-repository.ts';

identityRepositoryContract('the fake', async () => ({
  identities: new FakeIdentityRepository(),
  close: async () => {},
}));
