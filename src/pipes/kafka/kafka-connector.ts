import type { Dispatcher } from 'undici';
import type { PipeInput } from '../../contract/pipe-input.ts';
import type { Problem } from '../../contract/problem.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { PipeDefinition } from '../pipe-definition.ts';
import { AvroRecords } from '../records/avro-records.ts';
import { JsonRecords } from '../records/json-records.ts';
import type { RecordFormat } from '../records/record-format.ts';
import { SchemaRegistry } from '../records/schema-registry.ts';
import type { Connector, OpenSource, SourceJob } from '../source-port.ts';
import { KafkaCluster } from './kafka-cluster.ts';
import type { AddressGuard } from './kafka-connections.ts';
import { sourceErrorOf } from './kafka-errors.ts';
import { kafkaLibrary } from './kafka-library.ts';
import { type KafkaSettings, kafkaProblems, kafkaSettings } from './kafka-settings.ts';
import { KafkaSource } from './kafka-source.ts';

export interface KafkaConnectorDeps {
  guard: AddressGuard;
  /** Connections to schema registries, guarded as well; `ca` is trusted beside or instead of public authorities. */
  agentFor: (ca: string | undefined) => Dispatcher;
  clock: Clock;
  /** How often partitions that were added are looked for. */
  growthMs?: number;
}

const usualGrowthMs = 30_000;

/** Topics of Apache Kafka and of what speaks its protocol, from version 3.1. */
export class KafkaConnector implements Connector {
  readonly kind = 'kafka';
  readonly #deps: KafkaConnectorDeps;

  constructor(deps: KafkaConnectorDeps) {
    this.#deps = deps;
  }

  problemsOf(pipe: PipeInput): readonly Problem[] {
    return kafkaProblems(pipe);
  }

  async open(job: SourceJob): Promise<OpenSource> {
    const settings = kafkaSettings(job.pipe);
    const { guard, clock, growthMs = usualGrowthMs } = this.#deps;
    const cluster = new KafkaCluster({ library: await kafkaLibrary(), guard, settings, clock });
    try {
      const format = this.#formatOf(settings, job.signal);
      return await KafkaSource.open({ job, cluster, settings, format, clock, growthMs });
    } catch (error) {
      await cluster.close();
      throw error;
    }
  }

  async names(pipe: PipeDefinition, { max }: { max: number }): Promise<string[]> {
    const { guard, clock } = this.#deps;
    const cluster = new KafkaCluster({ library: await kafkaLibrary(), guard, settings: kafkaSettings(pipe), clock });
    try {
      return (await cluster.topicNames()).slice(0, max);
    } catch (error) {
      throw sourceErrorOf(error);
    } finally {
      await cluster.close();
    }
  }

  #formatOf({ format, registry }: KafkaSettings, signal: AbortSignal): RecordFormat {
    if (format === 'JSONEachRow') return new JsonRecords(registry !== undefined);
    const schemas = registry && new SchemaRegistry(registry, this.#deps.agentFor(registry.ca), signal);
    return new AvroRecords(schemas);
  }
}
