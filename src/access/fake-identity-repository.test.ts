import { identityRepositoryContract } from '../../test/contract/identity-repository.contract.ts';
import { peopleContract } from '../../test/contract/people.contract.ts';
import { FakeIdentityRepository } from './fake-identity-repository.ts';

for (const contract of [identityRepositoryContract, peopleContract]) {
  contract('the fake', async () => ({ identities: new FakeIdentityRepository(), close: async () => {} }));
}
