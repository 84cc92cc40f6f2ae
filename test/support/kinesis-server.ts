import type { IncomingMessage, ServerResponse } from 'node:http';
import { isSigned, sha256 } from './aws-signature.ts';
import { HttpDouble } from './http-double.ts';

export const kinesisKey = { accessKeyId: 'AKIDOFTHETEST0000002', secretKey: 'planted-secret-of-the-stream' };

interface HeldRecord {
  sequence: bigint;
  arrivalMs: number;
  key: string;
  data: Buffer;
}

interface Shard {
  id: string;
  parents: string[];
  records: HeldRecord[];
  isClosed: boolean;
}

interface Iterator {
  shard: Shard;
  /** Index of the next record. */
  at: number;
}

type Fields = Record<string, unknown>;

/** An answer that says no. */
class Refused extends Error {
  readonly type: string;
  readonly status: number;

  constructor(type: string, status = 400) {
    super(type);
    this.type = type;
    this.status = status;
  }
}

/** One stream with its shards, which can be split and merged, and lose what is oldest. */
export class TestStream {
  shards: Shard[] = [];
  created: number;
  #shardCount = 0;
  #sequence: bigint;
  readonly #clock: () => number;

  constructor(shards: number, created: number, clock: () => number) {
    this.created = created;
    // 56 digits, as in AWS: no JavaScript number keeps them.
    this.#sequence = 49_590_338_271_490_256_608_559_692_538_361_571_095_921_575_989_136_588_898n + BigInt(created);
    this.#clock = clock;
    for (let count = 0; count < shards; count++) this.#open([]);
  }

  get open(): Shard[] {
    return this.shards.filter(({ isClosed }) => !isClosed);
  }

  /** Into an open shard, by its number among those. */
  put(shard: number, values: readonly (string | Buffer)[], options: { key?: string; arrivalMs?: number } = {}): void {
    const target = this.open[shard % this.open.length];
    for (const value of values) {
      this.#sequence += 7n;
      const { key = 'k', arrivalMs = this.#clock() } = options;
      target?.records.push({ sequence: this.#sequence, arrivalMs, key, data: Buffer.from(value) });
    }
  }

  split(shard: number): void {
    const parent = this.#close(shard);
    this.#open([parent]);
    this.#open([parent]);
  }

  merge(shard: number, other: number): void {
    const parents = [this.open[shard]?.id ?? '', this.open[other]?.id ?? ''];
    for (const one of this.shards) if (parents.includes(one.id)) one.isClosed = true;
    this.#open(parents);
  }

  /** What retention does. */
  trim(shard: number, records: number): void {
    this.open[shard]?.records.splice(0, records);
  }

  /** Closed shards whose retention is over. */
  expireClosed(): void {
    this.shards = this.open;
  }

  #close(shard: number): string {
    const parent = this.open[shard];
    if (parent) parent.isClosed = true;
    return parent?.id ?? '';
  }

  #open(parents: string[]): void {
    const id = `shardId-${String(this.#shardCount++).padStart(12, '0')}`;
    this.shards.push({ id, parents, records: [], isClosed: false });
  }
}

/** Streams as Kinesis serves them: signed requests, pages of shards, iterators that expire, limits that are exceeded. */
export class KinesisServer extends HttpDouble {
  readonly streams = new Map<string, TestStream>();
  readonly asked: string[] = [];
  recordsMax = 50;
  shardsPerPage = 3;
  /** Answered to an operation while it is set, as often as it says. */
  readonly failures = new Map<string, { type: string; status?: number; times: number }>();
  now: () => number = Date.now;
  #iterators = new Map<string, Iterator>();
  #iteratorCount = 0;

  get url(): string {
    return this.origin;
  }

  create(name: string, shards: number): TestStream {
    const before = this.streams.get(name);
    const stream = new TestStream(shards, (before?.created ?? 1_700_000_000) + 1, () => this.now());
    this.streams.set(name, stream);
    return stream;
  }

  fail(operation: string, type: string, times = Number.POSITIVE_INFINITY, status = 400): void {
    this.failures.set(operation, { type, times, status });
  }

  /** As after five minutes. */
  expireIterators(): void {
    for (const name of this.#iterators.keys()) this.#iterators.delete(name);
  }

  protected async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts).toString();
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    this.asked.push(operation);
    const headers = { 'content-type': 'application/x-amz-json-1.1', date: new Date(this.now()).toUTCString() };
    try {
      const url = new URL(request.url ?? '/', this.url);
      const isKnown = isSigned(request, { url, service: 'kinesis', payload: sha256(body), key: kinesisKey });
      if (!isKnown) throw new Refused('InvalidSignatureException');
      this.#failIfAsked(operation);
      const answer = this.#run(operation, JSON.parse(body) as Fields);
      response.writeHead(200, headers).end(JSON.stringify(answer));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const text = {
        __type: `com.amazonaws.kinesis#${error.type}`,
        message: 'A text of AWS about account 123456789012.',
      };
      response.writeHead(error.status, headers).end(JSON.stringify(text));
    }
  }

  #failIfAsked(operation: string): void {
    const failure = this.failures.get(operation);
    if (!failure || failure.times-- <= 0) return;
    throw new Refused(failure.type, failure.status);
  }

  #run(operation: string, input: Fields): Fields {
    if (operation === 'DescribeStream') return this.#describe(this.#stream(input));
    if (operation === 'ListShards') return this.#list(input);
    if (operation === 'GetShardIterator') return { ShardIterator: this.#iterator(this.#stream(input), input) };
    if (operation === 'GetRecords') return this.#records(String(input.ShardIterator));
    throw new Refused('UnknownOperationException');
  }

  #stream({ StreamName: name }: Fields): TestStream {
    const stream = this.streams.get(String(name));
    if (!stream) throw new Refused('ResourceNotFoundException');
    return stream;
  }

  #describe({ created }: TestStream): Fields {
    const StreamDescription = { StreamStatus: 'ACTIVE', StreamCreationTimestamp: created, RetentionPeriodHours: 24 };
    return { StreamDescription };
  }

  #list(input: Fields): Fields {
    const [name = '', from = '0'] = String(input.NextToken ?? input.StreamName).split('\n');
    const { shards } = this.#stream({ StreamName: name });
    const end = Number(from) + this.shardsPerPage;
    const Shards = shards.slice(Number(from), end).map(({ id, parents: [parent, adjacent] }) => ({
      ShardId: id,
      ...(parent !== undefined && { ParentShardId: parent }),
      ...(adjacent !== undefined && { AdjacentParentShardId: adjacent }),
    }));
    return { Shards, ...(end < shards.length && { NextToken: `${name}\n${end}` }) };
  }

  #iterator(stream: TestStream, input: Fields): string {
    const shard = stream.shards.find(({ id }) => id === input.ShardId);
    if (!shard) throw new Refused('ResourceNotFoundException');
    return this.#newIterator({ shard, at: firstIndex(shard, input) });
  }

  #newIterator(iterator: Iterator): string {
    const name = `iterator-${this.#iteratorCount++}`;
    this.#iterators.set(name, iterator);
    return name;
  }

  #records(name: string): Fields {
    const iterator = this.#iterators.get(name);
    if (!iterator) throw new Refused('ExpiredIteratorException');
    this.#iterators.delete(name);
    const { shard, at } = iterator;
    const records = shard.records.slice(at, at + this.recordsMax);
    const end = at + records.length;
    const unread = shard.records[end];
    const isOver = shard.isClosed && !unread;
    return {
      Records: records.map(({ sequence, arrivalMs, key, data }) => ({
        SequenceNumber: String(sequence),
        ApproximateArrivalTimestamp: arrivalMs / 1000,
        PartitionKey: key,
        Data: data.toString('base64'),
      })),
      MillisBehindLatest: unread ? Math.max(1, this.now() - unread.arrivalMs) : 0,
      ...(!isOver && { NextShardIterator: this.#newIterator({ shard, at: end }) }),
    };
  }
}

function firstIndex({ records }: Shard, input: Fields): number {
  const found = (matches: (record: HeldRecord) => boolean) => {
    const index = records.findIndex(matches);
    return index < 0 ? records.length : index;
  };
  switch (input.ShardIteratorType) {
    case 'TRIM_HORIZON':
      return 0;
    case 'LATEST':
      return records.length;
    case 'AT_TIMESTAMP':
      return found(({ arrivalMs }) => arrivalMs >= Number(input.Timestamp) * 1000);
    case 'AFTER_SEQUENCE_NUMBER':
      return found(({ sequence }) => sequence > BigInt(String(input.StartingSequenceNumber)));
    default:
      throw new Refused('InvalidArgumentException');
  }
}
