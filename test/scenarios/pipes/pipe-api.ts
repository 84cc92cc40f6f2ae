import { SecretBox } from '../../../src/access/secret-box.ts';
import { pipeLifecycle, pipeService } from '../../../src/app/pipe-service.ts';
import { managedFlavour } from '../../../src/http/flavours/managed.ts';
import type { FlavourName } from '../../../src/http/operation.ts';
import { FakeKeys, serviceId, TestApi, type TestApiOptions } from '../../../src/http/testing.ts';
import { FakeClock } from '../../../src/kernel/fake-clock.ts';
import { randomIds } from '../../../src/kernel/ids.ts';
import { RecordingLogger } from '../../../src/kernel/recording-logger.ts';
import { FakePipeRuns } from '../../../src/pipes/fake-pipe-runs.ts';
import { connectorsOf } from '../../../src/pipes/run-check.ts';
import type { Connector } from '../../../src/pipes/source-port.ts';
import { FakePipeRepository } from '../../../src/resources/pipes/fake-pipe-repository.ts';
import { pipeOperations } from '../../../src/resources/pipes/operations/pipe-operations.ts';
import type { PipeRepository } from '../../../src/resources/pipes/pipe-repository.ts';
import type { PipeApplied, PipeService } from '../../../src/resources/pipes/pipe-service.ts';

export const secrets = new SecretBox('a key for tests');

export interface PipeApiOptions extends TestApiOptions {
  name?: FlavourName;
  pipes?: PipeRepository;
  connectors?: readonly Connector[];
}

/** The pipes API over a repository in memory; pipes are written as provisioning writes them. */
export class PipeApi extends TestApi {
  readonly pipes: PipeRepository;
  readonly runs: FakePipeRuns;
  readonly time: FakeClock;
  readonly service: PipeService;

  constructor({
    name = 'managed',
    pipes = new FakePipeRepository(),
    connectors = [],
    ...options
  }: PipeApiOptions = {}) {
    const time = new FakeClock();
    const runs = new FakePipeRuns(pipes instanceof FakePipeRepository ? pipes : new FakePipeRepository());
    const service = pipeService({ pipes, runs, secrets, clock: time });
    const tenants = { find: async () => undefined, list: async () => [] };
    const parts = { pipes, runs, secrets, tenants, ids: randomIds, clock: time };
    super(
      name,
      pipeOperations(
        service,
        pipeLifecycle({ ...parts, logger: new RecordingLogger(), connectors: connectorsOf(connectors) }),
      ),
      options,
    );
    this.runs = runs;
    this.pipes = pipes;
    this.time = time;
    this.service = service;
  }

  apply(entry: unknown, owner = serviceId): Promise<PipeApplied> {
    return this.service.apply(owner, entry);
  }

  /** `result` of the pipe after it was written. */
  async shown(entry: { id: string; [field: string]: unknown }): Promise<Record<string, unknown>> {
    const applied = await this.apply(entry);
    if (applied.kind === 'invalid') throw new Error(JSON.stringify(applied.problems));
    return this.unwrap(await this.send('GET', `/pipes/${entry.id}`)) as Record<string, unknown>;
  }

  /** What is wrong with an entry, as `path: reason`. */
  async problemsOf(entry: unknown): Promise<string[]> {
    const applied = await this.apply(entry);
    return applied.kind === 'invalid' ? applied.problems.map(({ path, message }) => `${path}: ${message}`) : [];
  }
}

/** The path words of existing clients (decisions F7). */
export function aliasedFlavour() {
  return managedFlavour(new FakeKeys(), { aliases: true });
}
