import type { Connection, metadataV12 } from '@platformatic/kafka';
import { type Clock, delay } from '../../kernel/clock.ts';
import { groupedBy } from '../../kernel/grouped-by.ts';
import { chainOf } from '../error-chain.ts';
import { SourceError } from '../source-port.ts';
import type { BrokerAddress } from './broker-list.ts';
import { type FetchAnswer, readFetchAnswer } from './fetch-answer.ts';
import { type AddressGuard, KafkaConnections } from './kafka-connections.ts';
import { answersOf, KafkaAnswerError } from './kafka-errors.ts';
import type { KafkaLibrary } from './kafka-library.ts';
import type { KafkaSettings } from './kafka-settings.ts';

export interface TopicPlace {
  name: string;
  /** Another one when the topic was made anew. */
  id: string;
  /** Node of the leader by partition; below 0 = there is none right now. */
  leaders: readonly number[];
}

/** Offset of one partition. */
export interface PartitionOffset {
  topic: string;
  partition: number;
  offset: number;
}

/** `latest`: what comes next can be read, now or once its transaction is decided. `end`: of the log. */
export type OffsetPlace = 'earliest' | 'latest' | 'end' | { timestampMs: number };

export interface KafkaClusterDeps {
  library: KafkaLibrary;
  guard: AddressGuard;
  settings: KafkaSettings;
  clock: Clock;
}

export interface FetchOrder {
  topicId: string;
  partition: number;
  offset: number;
}

/** Versions of the protocol that are spoken, by the key of each API: those of Kafka 3.1. */
const versions: readonly (readonly [key: number, version: number])[] = [
  [1, 13],
  [2, 5],
  [3, 12],
  [8, 8],
  [9, 8],
  [10, 4],
];
const closed =
  'The brokers close the connection immediately; they may expect TLS, a client certificate or authentication.';
/** A coordinator that is being elected or loads what it has to know, as in a cluster that has just started. */
const coordinatorAnswers = new Set(['COORDINATOR_NOT_AVAILABLE', 'NOT_COORDINATOR', 'COORDINATOR_LOAD_IN_PROGRESS']);
const coordinatorTries = 25;
const coordinatorRetryMs = 200;
const emptyMetadata = { throttleTimeMs: 0, clusterId: null, controllerId: -1 };
const fetchKey = 1;
const fetchVersion = 13;
const timestampLatest = -1n;
const timestampEarliest = -2n;
const partitionsMax = 10_000;

/** What of a cluster the connector needs. Errors are the client library's; `sourceErrorOf` translates them. */
export class KafkaCluster {
  readonly #library: KafkaLibrary;
  readonly #settings: KafkaSettings;
  readonly #guard: AddressGuard;
  readonly #clock: Clock;
  readonly #control: KafkaConnections;
  #nodes = new Map<number, BrokerAddress>();
  #coordinator: BrokerAddress | undefined;

  constructor({ library, guard, settings, clock }: KafkaClusterDeps) {
    this.#library = library;
    this.#guard = guard;
    this.#settings = settings;
    this.#clock = clock;
    this.#control = new KafkaConnections(library, guard, settings);
  }

  /** For one lane, whose long waits would hold up others. */
  connections(): KafkaConnections {
    return new KafkaConnections(this.#library, this.#guard, this.#settings);
  }

  close(): Promise<void> {
    return this.#control.close();
  }

  /** Asks the brokers one after another. Throws what the last one said. */
  async topics(names: readonly string[]): Promise<TopicPlace[]> {
    const answer = await this.#anyBroker((connection) => this.#metadata(connection, names));
    this.#nodes = new Map(answer.brokers.map(({ nodeId, host, port }) => [nodeId, { host, port }]));
    return answer.topics.flatMap(({ name, topicId, errorCode, partitions }) => {
      const error = this.#errorName(errorCode);
      if (error === 'UNKNOWN_TOPIC_OR_PARTITION') return [];
      if (error !== undefined) throw new KafkaAnswerError(error);
      if (partitions.length > partitionsMax) {
        throw new SourceError('rejected', `A topic has more than ${partitionsMax} partitions.`);
      }
      const leaders = partitions
        .toSorted((a, b) => a.partitionIndex - b.partitionIndex)
        .map(({ leaderId }) => leaderId);
      return [{ name: name ?? '', id: topicId, leaders }];
    });
  }

  /** Those that the user may see, without the cluster's own. */
  async topicNames(): Promise<string[]> {
    const { topics } = await this.#anyBroker((connection) => this.#metadata(connection, null));
    const own = topics.filter(({ errorCode, isInternal }) => errorCode === 0 && !isInternal);
    return own.flatMap(({ name }) => name ?? []).sort();
  }

  /** Where these partitions begin or end, or the first record from a moment on is; without one, where they end. */
  async offsets(topics: readonly TopicPlace[], at: OffsetPlace): Promise<PartitionOffset[]> {
    const found = await this.#listOffsets(topics, at);
    if (typeof at === 'string' || found.every(({ offset }) => offset >= 0)) return found;
    const ends = new Map((await this.offsets(topics, 'latest')).map((end) => [keyOf(end), end.offset]));
    return found.map((one) => (one.offset >= 0 ? one : { ...one, offset: ends.get(keyOf(one)) ?? 0 }));
  }

  /** What the consumer group has committed; partitions without are missing. */
  async committed(topics: readonly TopicPlace[]): Promise<PartitionOffset[]> {
    const { groupId } = this.#settings;
    const asked = topics.map(({ name, leaders }) => ({ name, partitionIndexes: leaders.map((_, index) => index) }));
    const { groups } = await this.#coordinated((connection) =>
      this.#library.offsetFetchV8.api.async(connection, [{ groupId, memberEpoch: -1, topics: asked }], true),
    );
    return groups.flatMap((group) =>
      group.topics.flatMap(({ name, partitions }) =>
        partitions
          .filter(({ committedOffset }) => committedOffset >= 0n)
          .map(({ partitionIndex, committedOffset }) => ({
            topic: name,
            partition: partitionIndex,
            offset: Number(committedOffset),
          })),
      ),
    );
  }

  /** As a consumer that is no member: rejected while the group has members. */
  async commit(offsets: readonly PartitionOffset[]): Promise<void> {
    const byTopic = groupedBy(offsets, ({ topic }) => topic);
    const topics = [...byTopic].map(([name, ofTopic]) => ({
      name,
      partitions: ofTopic.map(({ partition, offset }) => ({
        partitionIndex: partition,
        committedOffset: BigInt(offset),
        committedLeaderEpoch: -1,
        committedMetadata: '',
      })),
    }));
    await this.#coordinated((connection) =>
      this.#library.offsetCommitV8.api.async(connection, this.#settings.groupId, -1, '', null, topics),
    );
  }

  /** Records of partitions that one node leads. */
  async fetch(
    connections: KafkaConnections,
    node: number,
    order: { partitions: readonly FetchOrder[]; waitMs: number; bytesMax: number; partitionBytesMax: number },
  ): Promise<FetchAnswer> {
    const broker = this.#nodes.get(node);
    if (!broker) throw new KafkaAnswerError('LEADER_NOT_AVAILABLE');
    const topics = [...groupedBy(order.partitions, ({ topicId }) => topicId)].map(([topicId, ofTopic]) => ({
      topicId,
      partitions: ofTopic.map(({ partition, offset }) => ({
        partition,
        currentLeaderEpoch: -1,
        fetchOffset: BigInt(offset),
        lastFetchedEpoch: -1,
        partitionMaxBytes: order.partitionBytesMax,
      })),
    }));
    const { Reader, fetchV13 } = this.#library;
    const isolation = this.#settings.readCommitted ? 1 : 0;
    const request = () => fetchV13.createRequest(order.waitMs, 1, order.bytesMax, isolation, 0, -1, topics, [], '');
    const parse = (_id: number, _key: number, _version: number, answer: InstanceType<typeof Reader>) =>
      readFetchAnswer(answer, (bytes) => Reader.from(bytes));
    return connections.request(
      broker,
      (connection) =>
        new Promise<FetchAnswer>((resolve, reject) => {
          connection.send<FetchAnswer>(fetchKey, fetchVersion, request, parse, true, true, (error, answer) => {
            if (error || !answer) reject(error ?? new KafkaAnswerError('UNKNOWN_SERVER_ERROR'));
            else resolve(answer);
          });
        }),
    );
  }

  /** The protocol's name of an error; `undefined` = none. */
  errorName(code: number): string | undefined {
    return this.#errorName(code);
  }

  #errorName(code: number): string | undefined {
    return code === 0 ? undefined : (this.#library.protocolErrorsCodesById[code] ?? 'UNKNOWN_SERVER_ERROR');
  }

  /** `null` = every topic. */
  async #metadata(connection: Connection, names: readonly string[] | null): Promise<metadataV12.MetadataResponse> {
    await this.#checkVersions(connection);
    try {
      return await this.#library.metadataV12.api.async(connection, names && [...names], false, false);
    } catch (error) {
      // The library throws when any topic has an error; what it knows of the others is in there.
      const answer = answerIn(error);
      if (answer) return answer;
      throw error;
    }
  }

  async #checkVersions(connection: Connection): Promise<void> {
    const { apiKeys } = await this.#library.apiVersionsV3.api.async(connection, 'signalbox', '1').catch((error) => {
      if (answersOf(chainOf(error)).length > 0) throw error;
      throw new SourceError('away', closed, error);
    });
    const ranges = new Map(apiKeys.map((api) => [api.apiKey, api]));
    const isSpoken = versions.every(([key, version]) => {
      const range = ranges.get(key);
      return range !== undefined && range.minVersion <= version && version <= range.maxVersion;
    });
    if (!isSpoken) throw new KafkaAnswerError('UNSUPPORTED_VERSION');
  }

  async #anyBroker<Answer>(ask: (connection: Connection) => Promise<Answer>): Promise<Answer> {
    const brokers = [...this.#nodes.values(), ...this.#settings.brokers];
    let last: unknown;
    for (const broker of brokers) {
      try {
        return await this.#control.request(broker, ask);
      } catch (error) {
        last = error;
        const isFinal = answersOf(chainOf(error)).length > 0;
        if (isFinal) break;
      }
    }
    throw last;
  }

  async #listOffsets(topics: readonly TopicPlace[], at: OffsetPlace): Promise<PartitionOffset[]> {
    const timestamp = timestampOf(at);
    const byNode = groupedBy(
      topics.flatMap(({ name, leaders }) => leaders.map((leader, partition) => ({ name, leader, partition }))),
      ({ leader }) => leader,
    );
    const found: PartitionOffset[] = [];
    for (const [node, partitions] of byNode) {
      const broker = this.#nodes.get(node);
      if (!broker) throw new KafkaAnswerError('LEADER_NOT_AVAILABLE');
      const asked = [...groupedBy(partitions, ({ name }) => name)].map(([name, ofTopic]) => ({
        name,
        partitions: ofTopic.map(({ partition }) => ({ partitionIndex: partition, currentLeaderEpoch: -1, timestamp })),
      }));
      const isolation = this.#settings.readCommitted && at !== 'end' ? 1 : 0;
      const answer = await this.#control.request(broker, (connection) =>
        this.#library.listOffsetsV5.api.async(connection, -1, isolation, asked),
      );
      for (const { name, partitions: ofTopic } of answer.topics) {
        found.push(
          ...ofTopic.map(({ partitionIndex, offset }) => ({
            topic: name,
            partition: partitionIndex,
            offset: Number(offset),
          })),
        );
      }
    }
    return found;
  }

  /** Asks the coordinator of the group; one that has moved is looked up again, one that is not ready waited for. */
  async #coordinated<Answer>(ask: (connection: Connection) => Promise<Answer>): Promise<Answer> {
    for (let tries = 1; ; tries++) {
      try {
        this.#coordinator ??= await this.#findCoordinator();
        return await this.#control.request(this.#coordinator, ask);
      } catch (error) {
        this.#coordinator = undefined;
        const passes = answersOf(chainOf(error)).some((answer) => coordinatorAnswers.has(answer));
        if (!passes || tries >= coordinatorTries) throw error;
        await delay(this.#clock, coordinatorRetryMs);
      }
    }
  }

  async #findCoordinator(): Promise<BrokerAddress> {
    const { coordinators } = await this.#anyBroker((connection) =>
      this.#library.findCoordinatorV4.api.async(connection, 0, [this.#settings.groupId]),
    );
    const [found] = coordinators;
    if (!found) throw new KafkaAnswerError('COORDINATOR_NOT_AVAILABLE');
    return { host: found.host, port: found.port };
  }
}

/** Names a partition among all of a cluster. */
export function keyOf({ topic, partition }: { topic: string; partition: number }): string {
  return `${topic}/${partition}`;
}

function timestampOf(at: OffsetPlace): bigint {
  if (at === 'earliest') return timestampEarliest;
  return at === 'latest' || at === 'end' ? timestampLatest : BigInt(at.timestampMs);
}

function answerIn(error: unknown): metadataV12.MetadataResponse | undefined {
  if (!(error instanceof Error) || !('response' in error)) return undefined;
  // What the library's reader of this very request has made.
  const answer = error.response as Partial<metadataV12.MetadataResponse> | undefined;
  const { topics, brokers } = answer ?? {};
  return topics && brokers ? { ...emptyMetadata, topics, brokers } : undefined;
}
