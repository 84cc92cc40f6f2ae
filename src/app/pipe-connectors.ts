import type { Dispatcher } from 'undici';
import type { Config } from '../config/config.ts';
import type { Clock } from '../kernel/clock.ts';
import { guardedAgent } from '../notify/guarded-agent.ts';
import type { SsrfGuard } from '../notify/target-guard.ts';
import { KafkaConnector } from '../pipes/kafka/kafka-connector.ts';
import { KinesisConnector } from '../pipes/kinesis/kinesis-connector.ts';
import { ObjectStorageConnector } from '../pipes/object-storage/object-storage-connector.ts';
import { PostgresConnector } from '../pipes/postgres/postgres-connector.ts';
import { type Connectors, connectorsOf } from '../pipes/run-check.ts';

export interface ConnectorDeps {
  /** Connections that the address guard checks. */
  dispatcher: Dispatcher;
  guard: SsrfGuard;
  /** The only folder from which pipes may read files; absent = none. */
  filesFolder?: string;
  /** Where Kinesis is, instead of AWS. */
  kinesisUrl?: string;
  clock: Clock;
}

const connectTimeoutMs = 10_000;

/** The kinds of source that this program reads. */
export function pipeConnectors(deps: ConnectorDeps): Connectors {
  const { dispatcher, guard, kinesisUrl, clock } = deps;
  const agentFor = (ca: string | undefined) =>
    ca === undefined ? dispatcher : guardedAgent(guard, connectTimeoutMs, {}, { ca });
  return connectorsOf([
    new ObjectStorageConnector(deps),
    new KafkaConnector({ guard, agentFor, clock }),
    new KinesisConnector({ agentFor, clock, ...(kinesisUrl !== undefined && { endpoint: kinesisUrl }) }),
    new PostgresConnector(deps),
  ]);
}

/** The same by the settings of the program, with connections that are closed with them. */
export function openConnectors(
  { pipeFilesFolder: filesFolder, pipeKinesisUrl: kinesisUrl }: Pick<Config, 'pipeFilesFolder' | 'pipeKinesisUrl'>,
  guard: SsrfGuard,
  clock: Clock,
): { connectors: Connectors; close: () => Promise<void> } {
  const dispatcher = guardedAgent(guard, connectTimeoutMs);
  const connectors = pipeConnectors({
    ...{ dispatcher, guard, clock },
    ...(filesFolder !== undefined && { filesFolder }),
    ...(kinesisUrl !== undefined && { kinesisUrl }),
  });
  return { connectors, close: () => dispatcher.destroy() };
}
