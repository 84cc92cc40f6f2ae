import type { Dispatcher } from 'undici';
import type { PipeInput } from '../../src/contract/pipe-input.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { KinesisConnector } from '../../src/pipes/kinesis/kinesis-connector.ts';
import { type KinesisServer, kinesisKey } from '../support/kinesis-server.ts';
import { SourceRun, type SourceRunOptions } from './source-run.ts';

type KinesisInput = NonNullable<NonNullable<PipeInput['source']>['kinesis']>;

/** A pipe of Kinesis without a store. */
export class KinesisRun extends SourceRun {
  constructor(
    { server, agent }: { server: Pick<KinesisServer, 'url'>; agent: Dispatcher },
    kinesis: KinesisInput,
    options: SourceRunOptions = {},
  ) {
    const connector = new KinesisConnector({
      ...{ agentFor: () => agent, clock: systemClock, endpoint: server.url },
      ...{ pace: { busyMs: 1, idleMs: 5 }, growthMs: 20 },
    });
    const access = { region: 'eu-central-1', authentication: 'IAM_USER', accessKey: kinesisKey } as const;
    super(connector, { kinesis: { ...access, ...kinesis } }, options);
  }
}
