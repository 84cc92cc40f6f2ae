import type { Dispatcher } from 'undici';
import type { PipeInput } from '../../contract/pipe-input.ts';
import type { Problem } from '../../contract/problem.ts';
import type { Clock } from '../../kernel/clock.ts';
import { AwsClient } from '../aws/aws-client.ts';
import type { PipeDefinition } from '../pipe-definition.ts';
import { type Connector, type OpenSource, SourceError, type SourceJob } from '../source-port.ts';
import { AzureStore } from './azure-store.ts';
import { FileStore } from './file-store.ts';
import { HttpStore } from './http-store.ts';
import { locationOf, type ObjectStorageSettings } from './location.ts';
import { ObjectEvents } from './object-events.ts';
import { objectFormatOf } from './object-format.ts';
import { ObjectSource } from './object-source.ts';
import type { ObjectStore } from './object-store.ts';
import { S3Store } from './s3-store.ts';
import { accessKeyOf, objectStorageProblems } from './settings-check.ts';
import { SqsQueue, sqsRegionOf } from './sqs-queue.ts';

export interface ObjectStorageDeps {
  /** Connections that the address guard checks. */
  dispatcher: Dispatcher;
  /** The only folder from which `file:` may read; absent = none. */
  filesFolder?: string;
  clock: Clock;
}

const usualPollMs = 30_000;
const usualFilesMax = 1_000;
/** Ten messages of 1 MiB. */
const answerBytesMax = 16 * 1024 ** 2;

/** Objects of S3-compatible stores and Azure Blob Storage, URLs, and files of a folder that the operator allows. */
export class ObjectStorageConnector implements Connector {
  readonly kind = 'objectStorage';
  readonly #deps: ObjectStorageDeps;

  constructor(deps: ObjectStorageDeps) {
    this.#deps = deps;
  }

  problemsOf(pipe: PipeInput): readonly Problem[] {
    return objectStorageProblems(pipe, this.#deps.filesFolder);
  }

  async open(job: SourceJob): Promise<OpenSource> {
    const { source: { objectStorage = {} } = {}, settings = {} } = job.pipe;
    const { isContinuous = false, skipInitialLoad = false, compression } = objectStorage;
    const store = this.#storeOf(objectStorage);
    // Whether the store answers is known before the pipe counts as running.
    await store.list(job.signal)[Symbol.asyncIterator]().next();
    const events = this.#eventsOf(job, store);
    return new ObjectSource({
      store,
      ...(events && { events }),
      job,
      format: objectFormatOf(objectStorage),
      compression,
      isContinuous,
      skipInitialLoad,
      pollMs: settings.object_storage_polling_interval_ms ?? usualPollMs,
      filesMax: settings.object_storage_max_file_count ?? usualFilesMax,
      clock: this.#deps.clock,
    });
  }

  async names({ source }: PipeDefinition, { max, signal }: { max: number; signal: AbortSignal }): Promise<string[]> {
    const names: string[] = [];
    for await (const page of this.#storeOf(source?.objectStorage ?? {}).list(signal)) {
      names.push(...page.map(({ key }) => key));
      if (names.length >= max) break;
    }
    return names.slice(0, max);
  }

  /** Of a pipe with a queue. */
  #eventsOf({ pipe, signal }: SourceJob, store: ObjectStore): ObjectEvents | undefined {
    const { source: { objectStorage = {} } = {}, settings = {} } = pipe;
    const { queueUrl } = objectStorage;
    const location = locationOf(objectStorage);
    const accessKey = accessKeyOf(objectStorage);
    if (queueUrl === undefined || location?.kind !== 's3' || !accessKey || !(store instanceof S3Store))
      return undefined;
    const { clock, dispatcher } = this.#deps;
    const url = new URL(queueUrl);
    const client = new AwsClient({
      ...{ service: 'sqs', targetPrefix: 'AmazonSQS', jsonVersion: '1.0', accessKey, dispatcher },
      ...{ url: `${url.origin}/`, region: sqsRegionOf(url.hostname) ?? location.place.region, answerBytesMax },
    });
    const pollMs = settings.object_storage_polling_interval_ms ?? usualPollMs;
    return new ObjectEvents({
      queue: new SqsQueue(client, queueUrl),
      bucket: location.place.bucket,
      isWanted: (key) => store.isWanted(key),
      look: (key, stop) => store.look(key, stop),
      objectsMax: settings.object_storage_max_file_count ?? usualFilesMax,
      waitSeconds: Math.ceil(pollMs / 1000),
      clock,
      signal,
    });
  }

  #storeOf(source: ObjectStorageSettings): ObjectStore {
    const { dispatcher, filesFolder } = this.#deps;
    const { startAfter, isContinuous = false } = source;
    const location = locationOf(source);
    const after = startAfter === undefined ? {} : { startAfter };
    if (location?.kind === 'http') return new HttpStore({ pattern: location.pattern, isContinuous, dispatcher });
    if (location?.kind === 'file' && filesFolder !== undefined) {
      return new FileStore({ folder: filesFolder, pattern: location.pattern, ...after });
    }
    if (location?.kind === 'azure') {
      const { place, pattern } = location;
      return new AzureStore({ place, pattern, dispatcher, clock: this.#deps.clock, ...after });
    }
    if (location?.kind !== 's3') throw new SourceError('rejected', 'The URL of the objects cannot be read.');
    const accessKey = accessKeyOf(source);
    const { place, pattern } = location;
    return new S3Store({ place, pattern, dispatcher, ...after, ...(accessKey && { accessKey }) });
  }
}
