import { createServer, type Server, type Socket } from 'node:net';
import { Reader, Writer } from '@platformatic/kafka';
import { afterFile } from './after-file.ts';
import { type PartitionLog, TopicLog } from './kafka-log.ts';

const error = {
  outOfRange: 1,
  unknownTopic: 3,
  unknownMember: 25,
  unknownTopicId: 100,
  saslFailed: 58,
  unsupportedSasl: 33,
};
const versions: readonly (readonly [key: number, version: number])[] = [
  [1, 13],
  [2, 5],
  [3, 12],
  [8, 8],
  [9, 8],
  [10, 4],
  [17, 1],
  [18, 3],
  [36, 2],
];
/** Requests without tagged fields in their header, and answers without. */
const plainRequests = new Set([2, 17]);
const plainAnswers = new Set([2, 17, 18]);

/** A broker in this process that speaks the versions of the protocol that our connector uses, and no other. */
export class KafkaServer {
  readonly topics = new Map<string, TopicLog>();
  /** Offsets that groups have committed, by group, then by topic and partition. */
  readonly committed = new Map<string, Map<string, number>>();
  /** Where clients are sent to; itself when absent. */
  advertised: { host: string; port: number } | undefined;
  user: { username: string; password: string } | undefined;
  /** Whether members of groups read by subscription. */
  groupsHaveMembers = false;
  fetches = 0;
  #server: Server | undefined;
  #port = 0;
  readonly #sockets = new Set<Socket>();

  static async start(): Promise<KafkaServer> {
    const server = new KafkaServer();
    await server.start();
    afterFile(() => server.stop());
    return server;
  }

  get address(): string {
    return `127.0.0.1:${this.#port}`;
  }

  /** At the port that it had before. */
  async start(): Promise<void> {
    const server = createServer((socket) => this.#serve(socket));
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    const place = server.address();
    if (typeof place === 'object' && place) this.#port = place.port;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server?.close(resolve) ?? resolve(undefined));
    this.#server = undefined;
  }

  createTopic(name: string, partitions = 1): TopicLog {
    const topic = new TopicLog(partitions);
    this.topics.set(name, topic);
    return topic;
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    socket.on('error', () => {});
    let received = Buffer.alloc(0);
    let answered = Promise.resolve();
    const session = { isKnown: false };
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      while (received.length >= 4 && received.length >= 4 + received.readInt32BE(0)) {
        const request = received.subarray(4, 4 + received.readInt32BE(0));
        received = received.subarray(4 + request.length);
        answered = answered.then(() => this.#answer(socket, request, session));
      }
    });
  }

  async #answer(socket: Socket, bytes: Buffer, session: { isKnown: boolean }): Promise<void> {
    const reader = Reader.from(Buffer.from(bytes));
    const [key, version, correlation] = [reader.readInt16(), reader.readInt16(), reader.readInt32()];
    reader.readNullableString(false);
    if (!plainRequests.has(key)) reader.readTaggedFields();
    const isSpoken = versions.some(([api, spoken]) => api === key && spoken === version);
    const needsUser = this.user !== undefined && !session.isKnown && key !== 17 && key !== 36;
    if (!isSpoken || needsUser) return void socket.destroy();
    const body = await this.#bodyOf(key, reader, session);
    const answer = Writer.create().appendInt32(correlation);
    if (!plainAnswers.has(key)) answer.appendTaggedFields();
    socket.write(answer.appendFrom(body).prependLength().buffer);
  }

  async #bodyOf(key: number, reader: Reader, session: { isKnown: boolean }): Promise<Writer> {
    switch (key) {
      case 1:
        return this.#fetch(reader);
      case 2:
        return this.#listOffsets(reader);
      case 3:
        return this.#metadata(reader);
      case 8:
        return this.#commit(reader);
      case 9:
        return this.#committed(reader);
      case 10:
        return this.#coordinator(reader);
      case 17:
        return Writer.create()
          .appendInt16(reader.readString(false) === 'PLAIN' ? 0 : error.unsupportedSasl)
          .appendArray(['PLAIN'], (w, name) => w.appendString(name, false), false, false);
      case 36:
        return this.#authenticate(reader, session);
      default:
        return Writer.create()
          .appendInt16(0)
          .appendArray([...versions], (w, [api, version]) =>
            w.appendInt16(api).appendInt16(version).appendInt16(version),
          )
          .appendInt32(0)
          .appendTaggedFields();
    }
  }

  #authenticate(reader: Reader, session: { isKnown: boolean }): Writer {
    const [, username, password] = reader.readBytes().toString().split('\0');
    session.isKnown = username === this.user?.username && password === this.user?.password;
    return Writer.create()
      .appendInt16(session.isKnown ? 0 : error.saslFailed)
      .appendString(null)
      .appendBytes(Buffer.alloc(0))
      .appendInt64(0n)
      .appendTaggedFields();
  }

  #metadata(reader: Reader): Writer {
    // None stands for all: a list of none is never asked for.
    const asked = reader.readArray((r) => {
      r.readUUID();
      return r.readString();
    });
    const names = asked.length > 0 ? asked : [...this.topics.keys()];
    const { host, port } = this.advertised ?? { host: '127.0.0.1', port: this.#port };
    return Writer.create()
      .appendInt32(0)
      .appendArray([0], (w) => w.appendInt32(0).appendString(host).appendInt32(port).appendString(null))
      .appendString('cluster')
      .appendInt32(0)
      .appendArray(names, (w, name) => {
        const topic = this.topics.get(name);
        w.appendInt16(topic ? 0 : error.unknownTopic)
          .appendString(name)
          .appendUUID(topic?.id ?? null)
          .appendBoolean(false)
          .appendArray(topic?.partitions ?? [], (p, _, index) => {
            p.appendInt16(0).appendInt32(index).appendInt32(0).appendInt32(0);
            for (let list = 0; list < 3; list++) p.appendArray([0], (n) => n.appendInt32(0), true, false);
          })
          .appendInt32(0);
      })
      .appendTaggedFields();
  }

  #coordinator(reader: Reader): Writer {
    reader.readInt8();
    const keys = reader.readArray((r) => r.readString(), true, false);
    return Writer.create()
      .appendInt32(0)
      .appendArray(keys, (w, key) =>
        w
          .appendString(key)
          .appendInt32(0)
          .appendString('127.0.0.1')
          .appendInt32(this.#port)
          .appendInt16(0)
          .appendString(null),
      )
      .appendTaggedFields();
  }

  #listOffsets(reader: Reader): Writer {
    reader.readInt32();
    reader.readInt8();
    const topics = reader.readArray(
      (r) => ({
        name: r.readString(false),
        partitions: r.readArray(
          (p) => {
            const index = p.readInt32();
            p.readInt32();
            return { index, timestamp: p.readInt64() };
          },
          false,
          false,
        ),
      }),
      false,
      false,
    );
    return Writer.create()
      .appendInt32(0)
      .appendArray(
        topics,
        (w, { name, partitions }) =>
          w.appendString(name, false).appendArray(
            partitions,
            (p, { index, timestamp }) => {
              const log = this.topics.get(name)?.partitions[index];
              p.appendInt32(index)
                .appendInt16(log ? 0 : error.unknownTopic)
                .appendInt64(-1n)
                .appendInt64(BigInt(log ? offsetAt(log, timestamp) : -1))
                .appendInt32(0);
            },
            false,
            false,
          ),
        false,
        false,
      );
  }

  #committed(reader: Reader): Writer {
    const groups = reader.readArray((r) => ({
      id: r.readString(),
      topics: r.readArray((t) => ({ name: t.readString(), indexes: t.readArray((p) => p.readInt32(), true, false) })),
    }));
    return Writer.create()
      .appendInt32(0)
      .appendArray(groups, (w, { id, topics }) =>
        w
          .appendString(id)
          .appendArray(topics, (t, { name, indexes }) =>
            t.appendString(name).appendArray(indexes, (p, index) =>
              p
                .appendInt32(index)
                .appendInt64(BigInt(this.committed.get(id)?.get(`${name}/${index}`) ?? -1))
                .appendInt32(-1)
                .appendString(null)
                .appendInt16(0),
            ),
          )
          .appendInt16(0),
      )
      .appendTaggedFields();
  }

  #commit(reader: Reader): Writer {
    const group = reader.readString();
    reader.readInt32();
    reader.readString();
    reader.readNullableString();
    const offsets = this.committed.get(group) ?? new Map<string, number>();
    const topics = reader.readArray((r) => {
      const name = r.readString();
      const indexes = r.readArray((p) => {
        const index = p.readInt32();
        const offset = Number(p.readInt64());
        p.readInt32();
        p.readNullableString();
        if (!this.groupsHaveMembers) offsets.set(`${name}/${index}`, offset);
        return index;
      });
      return { name, indexes };
    });
    this.committed.set(group, offsets);
    return Writer.create()
      .appendInt32(0)
      .appendArray(topics, (w, { name, indexes }) =>
        w
          .appendString(name)
          .appendArray(indexes, (p, index) =>
            p.appendInt32(index).appendInt16(this.groupsHaveMembers ? error.unknownMember : 0),
          ),
      )
      .appendTaggedFields();
  }

  async #fetch(reader: Reader): Promise<Writer> {
    this.fetches++;
    reader.readInt32();
    const waitMs = reader.readInt32();
    reader.skip(4 + 4);
    const isCommittedOnly = reader.readInt8() === 1;
    reader.skip(4 + 4);
    const topics = reader.readArray((r) => ({
      id: r.readUUID(),
      partitions: r.readArray((p) => {
        const index = p.readInt32();
        p.readInt32();
        const offset = Number(p.readInt64());
        p.readInt32();
        p.readInt64();
        return { index, offset, bytesMax: p.readInt32() };
      }),
    }));
    const logOf = (id: string, index: number) =>
      [...this.topics.values()].find((topic) => topic.id === id)?.partitions[index];
    const hasNews = () =>
      topics.some(({ id, partitions }) =>
        partitions.some(({ index, offset }) => (logOf(id, index)?.end ?? 0) > offset),
      );
    if (waitMs > 0 && !hasNews()) await new Promise((resolve) => setTimeout(resolve, Math.min(waitMs, 20)));
    return Writer.create()
      .appendInt32(0)
      .appendInt16(0)
      .appendInt32(0)
      .appendArray(topics, (w, { id, partitions }) =>
        w
          .appendUUID(id)
          .appendArray(partitions, (p, asked) => writePartition(p, asked, logOf(id, asked.index), isCommittedOnly)),
      )
      .appendTaggedFields();
  }
}

function writePartition(
  writer: Writer,
  { index, offset, bytesMax }: { index: number; offset: number; bytesMax: number },
  log: PartitionLog | undefined,
  isCommittedOnly: boolean,
): void {
  const isOutside = log !== undefined && (offset < log.start || offset > log.end);
  const records = !log || isOutside ? Buffer.alloc(0) : log.read(offset, bytesMax);
  const aborted = (isCommittedOnly ? (log?.aborted ?? []) : []).filter(({ lastOffset }) => lastOffset >= offset);
  writer
    .appendInt32(index)
    .appendInt16(log ? (isOutside ? error.outOfRange : 0) : error.unknownTopicId)
    .appendInt64(BigInt(log?.end ?? -1))
    .appendInt64(BigInt(log?.end ?? -1))
    .appendInt64(BigInt(log?.start ?? -1))
    .appendArray(aborted, (a, { producerId, firstOffset }) =>
      a.appendInt64(producerId).appendInt64(BigInt(firstOffset)),
    )
    .appendInt32(-1)
    .appendUnsignedVarInt(records.length + 1)
    .append(records);
}

function offsetAt(log: PartitionLog, timestamp: bigint): number {
  if (timestamp === -2n) return log.start;
  if (timestamp === -1n) return log.end;
  return log.batches.find(({ timestampMs }) => timestampMs >= Number(timestamp))?.base ?? -1;
}
