import type { Dispatcher } from 'undici';
import type { PipeInput } from '../../contract/pipe-input.ts';
import type { Problem } from '../../contract/problem.ts';
import type { Clock } from '../../kernel/clock.ts';
import { AwsClient } from '../aws/aws-client.ts';
import { AvroRecords } from '../records/avro-records.ts';
import { JsonRecords } from '../records/json-records.ts';
import type { RecordFormat } from '../records/record-format.ts';
import { SchemaRegistry } from '../records/schema-registry.ts';
import type { Connector, OpenSource, SourceJob } from '../source-port.ts';
import { type KinesisSettings, kinesisProblems, kinesisSettings } from './kinesis-settings.ts';
import { KinesisSource } from './kinesis-source.ts';
import { KinesisStream } from './kinesis-stream.ts';
import type { ReadingPace } from './shard-reader.ts';

export interface KinesisConnectorDeps {
  /** Guarded connections; `ca` is trusted beside or instead of public authorities. */
  agentFor: (ca: string | undefined) => Dispatcher;
  /** Where Kinesis is, instead of AWS; the operator's setting. */
  endpoint?: string;
  clock: Clock;
  pace?: ReadingPace;
  /** How often shards that came from others are looked for; the end of a shard is noticed anyway. */
  growthMs?: number;
}

const usualPace: ReadingPace = { busyMs: 210, idleMs: 1_000 };
const usualGrowthMs = 60_000;
const answerBytesMax = 32 * 1024 ** 2;

/** Streams of Amazon Kinesis, by polling. */
export class KinesisConnector implements Connector {
  readonly kind = 'kinesis';
  readonly #deps: KinesisConnectorDeps;

  constructor(deps: KinesisConnectorDeps) {
    this.#deps = deps;
  }

  problemsOf(pipe: PipeInput): readonly Problem[] {
    return kinesisProblems(pipe);
  }

  async open(job: SourceJob): Promise<OpenSource> {
    const settings = kinesisSettings(job.pipe);
    const { clock, pace = usualPace, growthMs = usualGrowthMs } = this.#deps;
    const stream = new KinesisStream(this.#clientOf(settings), settings.streamName, job.signal);
    const format = this.#formatOf(settings, job.signal);
    return KinesisSource.open({ job, stream, settings, format, clock, pace, growthMs });
  }

  #clientOf({ region, accessKey }: KinesisSettings): AwsClient {
    const { endpoint, agentFor } = this.#deps;
    return new AwsClient({
      ...{
        service: 'kinesis',
        targetPrefix: 'Kinesis_20131202',
        jsonVersion: '1.1',
        region,
        accessKey,
        answerBytesMax,
      },
      url: `${endpoint ?? endpointOf(region)}/`,
      dispatcher: agentFor(undefined),
    });
  }

  #formatOf({ format, registry }: KinesisSettings, signal: AbortSignal): RecordFormat {
    if (format === 'JSONEachRow') return new JsonRecords(registry !== undefined);
    const schemas = registry && new SchemaRegistry(registry, this.#deps.agentFor(registry.ca), signal);
    return new AvroRecords(schemas);
  }
}

function endpointOf(region: string): string {
  return `https://kinesis.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
}
