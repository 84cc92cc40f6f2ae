import { describe } from 'vitest';
import { FakePipeRepository } from '../../src/resources/pipes/fake-pipe-repository.ts';
import { onBothStores } from '../support/metadata-stores.ts';
import { pipeRepositoryContract } from './pipe-repository.contract.ts';

onBothStores((underTest) => pipeRepositoryContract(() => underTest().store.pipes));

describe('in memory', () => {
  const pipes = new FakePipeRepository();
  pipeRepositoryContract(() => pipes);
});
