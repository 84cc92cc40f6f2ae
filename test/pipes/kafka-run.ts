import type { Dispatcher } from 'undici';
import type { PipeInput } from '../../src/contract/pipe-input.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { SsrfGuard } from '../../src/notify/target-guard.ts';
import { KafkaConnector } from '../../src/pipes/kafka/kafka-connector.ts';
import { SourceRun, type SourceRunOptions } from './source-run.ts';

type KafkaInput = NonNullable<NonNullable<PipeInput['source']>['kafka']>;

export interface KafkaRunOptions extends SourceRunOptions {
  allowedHosts?: readonly string[];
  agent?: Dispatcher;
}

/** A pipe of Kafka without a store. */
export class KafkaRun extends SourceRun {
  constructor(kafka: KafkaInput, options: KafkaRunOptions = {}) {
    const source = { kafka: { format: 'JSONEachRow', offset: { strategy: 'from_beginning' }, ...kafka } } as const;
    super(connectorOf(options), source, options);
  }
}

function connectorOf({ allowedHosts = ['127.0.0.1'], agent }: KafkaRunOptions): KafkaConnector {
  const agentFor = () => {
    if (!agent) throw new Error('no agent');
    return agent;
  };
  return new KafkaConnector({ guard: new SsrfGuard(allowedHosts), agentFor, clock: systemClock, growthMs: 20 });
}
