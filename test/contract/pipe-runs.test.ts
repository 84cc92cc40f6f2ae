import { describe } from 'vitest';
import { FakePipeRuns } from '../../src/pipes/fake-pipe-runs.ts';
import { FakePipeRepository } from '../../src/resources/pipes/fake-pipe-repository.ts';
import { onBothStores } from '../support/metadata-stores.ts';
import { pipeRunsContract } from './pipe-runs.contract.ts';

onBothStores((underTest) =>
  pipeRunsContract(() => {
    const { pipes, pipeRuns, pipeLeases, pipeLedger } = underTest().store;
    return { pipes, runs: pipeRuns, leases: pipeLeases, ledger: pipeLedger };
  }),
);

describe('in memory', () => {
  const pipes = new FakePipeRepository();
  const fake = new FakePipeRuns(pipes);
  pipeRunsContract(() => ({ pipes, runs: fake, leases: fake, ledger: fake }));
});
