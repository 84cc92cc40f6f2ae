import type { AwsClient } from '../aws/aws-client.ts';
import { AwsAnswerError } from '../aws/aws-errors.ts';
import { numberIn, objectOf, objectsIn, textIn } from '../aws/json-fields.ts';
import { SourceError } from '../source-port.ts';

export interface StreamDescription {
  /** Another one when the stream was made anew. */
  created: string;
  retentionMs: number;
  /** The time of the service, in whole seconds. */
  serverMs: number;
}

export interface ShardPlace {
  id: string;
  /** Shards that were split or merged into this one. */
  parents: readonly string[];
}

/** What comes next in a shard: after a record, or from a moment on, or everything that is there. */
export type ShardPosition = { after: string } | { fromMs: number } | 'oldest';

export interface KinesisRecord {
  sequence: string;
  arrivalMs: number;
  key: string;
  data: Buffer;
}

export interface RecordsAnswer {
  records: readonly KinesisRecord[];
  /** Absent = the shard is closed, and has been read to its end. */
  next: string | undefined;
  behindMs: number;
}

const hourMs = 3_600_000;
const pagesMax = 1_000;

/** One stream, as its service answers about it. Throws `AwsAnswerError` and what connections throw. */
export class KinesisStream {
  readonly #client: AwsClient;
  readonly #name: string;
  readonly #signal: AbortSignal;

  constructor(client: AwsClient, name: string, signal: AbortSignal) {
    this.#client = client;
    this.#name = name;
    this.#signal = signal;
  }

  async describe(): Promise<StreamDescription> {
    const { body, serverMs } = await this.#call('DescribeStream', { StreamName: this.#name, Limit: 1 });
    const description = objectOf(body.StreamDescription);
    const status = textIn(description, 'StreamStatus');
    if (status !== 'ACTIVE' && status !== 'UPDATING') {
      throw new SourceError('away', 'The stream is being made or deleted right now.');
    }
    return {
      created: String(description.StreamCreationTimestamp),
      retentionMs: (numberIn(description, 'RetentionPeriodHours') ?? 24) * hourMs,
      serverMs,
    };
  }

  /** Every shard whose records may still be there. */
  async shards(): Promise<ShardPlace[]> {
    const found: ShardPlace[] = [];
    let token: string | undefined;
    for (let page = 0; page < pagesMax; page++) {
      const { body } = await this.#call('ListShards', token ? { NextToken: token } : { StreamName: this.#name });
      for (const shard of objectsIn(body, 'Shards')) {
        const parents = [textIn(shard, 'ParentShardId'), textIn(shard, 'AdjacentParentShardId')];
        found.push({ id: textIn(shard, 'ShardId') ?? '', parents: parents.filter((id) => id !== undefined) });
      }
      token = textIn(body, 'NextToken');
      if (!token) return found;
    }
    throw new SourceError('rejected', 'The stream has more shards than can be listed.');
  }

  async iterator(shard: string, position: ShardPosition): Promise<string> {
    const { body } = await this.#call('GetShardIterator', {
      StreamName: this.#name,
      ShardId: shard,
      ...iteratorOf(position),
    });
    return textIn(body, 'ShardIterator') ?? '';
  }

  async records(iterator: string): Promise<RecordsAnswer> {
    const { body } = await this.#call('GetRecords', { ShardIterator: iterator });
    return {
      records: objectsIn(body, 'Records').map((record) => ({
        sequence: textIn(record, 'SequenceNumber') ?? '',
        arrivalMs: Math.round((numberIn(record, 'ApproximateArrivalTimestamp') ?? 0) * 1000),
        key: textIn(record, 'PartitionKey') ?? '',
        data: Buffer.from(textIn(record, 'Data') ?? '', 'base64'),
      })),
      next: textIn(body, 'NextShardIterator'),
      behindMs: numberIn(body, 'MillisBehindLatest') ?? 0,
    };
  }

  #call(operation: string, input: object) {
    return this.#client.call(operation, input, this.#signal);
  }
}

/** Iterators live for five minutes. */
export function isExpiredIterator(error: unknown): boolean {
  return error instanceof AwsAnswerError && error.answer === 'ExpiredIteratorException';
}

/** Of a shard: its retention is over. */
export function isNotFound(error: unknown): boolean {
  return error instanceof AwsAnswerError && error.answer === 'ResourceNotFoundException';
}

function iteratorOf(position: ShardPosition): object {
  if (position === 'oldest') return { ShardIteratorType: 'TRIM_HORIZON' };
  if ('after' in position) {
    return { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', StartingSequenceNumber: position.after };
  }
  return { ShardIteratorType: 'AT_TIMESTAMP', Timestamp: position.fromMs / 1000 };
}
