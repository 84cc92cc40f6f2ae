import { describe } from 'vitest';
import { FakeSilenceRepository } from '../../src/resources/silences/fake-silence-repository.ts';
import { onBothStores } from '../support/metadata-stores.ts';
import { silenceRepositoryContract } from './silence-repository.contract.ts';

describe('the fake', () => {
  const fake = new FakeSilenceRepository();
  silenceRepositoryContract(() => fake);
});

onBothStores((underTest) => silenceRepositoryContract(() => underTest().store.silences));
