import { Admin, Producer, stringSerializers } from '@platformatic/kafka';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { PipeInput } from '../../src/contract/pipe-input.ts';
import { randomIds } from '../../src/kernel/ids.ts';
import { KafkaRun } from '../pipes/kafka-run.ts';
import { Mortal, momentOf, randomOf } from '../pipes/mortal.ts';
import { PipeWorld } from '../pipes/pipe-world.ts';
import { closeFile } from '../support/after-file.ts';
import { openEngine } from '../support/start-engine.ts';
import { jarsOf, whyMissing } from './interop-cache.ts';
import { KafkaBroker, users } from './kafka-broker.ts';

const jars = await jarsOf('kafka');
const kills = Number(process.env.SIGNALBOX_TEST_PIPE_KILLS ?? 20);
const seed = Number(process.env.SIGNALBOX_TEST_SEED ?? Date.now() % 2 ** 31);

type Kafka = NonNullable<NonNullable<PipeInput['source']>['kafka']>;

const line = (id: number) => JSON.stringify({ id, name: `n${id}` });
const lines = (from: number, count: number) => Array.from({ length: count }, (_, index) => line(from + index));
const sums = (rows: number) => [rows, rows, (rows * (rows - 1)) / 2];

describe.skipIf(jars.kind === 'missing')(`Apache Kafka${whyMissing(jars)}`, () => {
  let broker: KafkaBroker;
  let admin: Admin;
  let producer: Producer<string, string, string, string>;

  const brokers = () => `127.0.0.1:${broker.ports.plain}`;
  beforeAll(async () => {
    broker = await KafkaBroker.start(jars.kind === 'found' ? jars.file : '');
    admin = new Admin({ clientId: 'admin', bootstrapBrokers: [brokers()] });
    producer = new Producer({ clientId: 'producer', bootstrapBrokers: [brokers()], serializers: stringSerializers });
  });
  afterAll(async () => {
    await producer?.close(true);
    await admin?.close();
    await closeFile();
    await broker?.stop();
  });

  const createTopic = (topic: string, partitions: number) =>
    admin.createTopics({ topics: [topic], partitions, replicas: 1 });
  const send = (topic: string, partition: number, values: readonly string[]) =>
    producer.send({ messages: values.map((value) => ({ topic, partition, value })), acks: -1 });

  function run(topic: string, change: Kafka = {}): KafkaRun {
    return new KafkaRun({ brokers: brokers(), topics: topic, consumerGroup: `g-${topic}`, ...change });
  }

  it("records of Kafka's producer in every compression", async () => {
    await createTopic('compressed', 2);
    const codecs = ['none', 'gzip', 'snappy', 'lz4', 'zstd'];
    for (const [index, codec] of codecs.entries()) await broker.produce('compressed', codec, lines(index * 300, 300));
    const pipe = run('compressed');
    await pipe.read(() => pipe.lines.length >= 1_500);
    expect(pipe.lines).toEqual(lines(0, 1_500).toSorted());
    expect(pipe.unreadable.size).toBe(0);
  });

  it.each<[string, () => Kafka]>([
    [
      'PLAIN',
      () => ({
        brokers: `SASL_PLAINTEXT://127.0.0.1:${broker.ports.sasl}`,
        authentication: 'PLAIN',
        credentials: users.plain,
      }),
    ],
    [
      'SCRAM-SHA-256',
      () => ({
        brokers: `SASL_PLAINTEXT://127.0.0.1:${broker.ports.sasl}`,
        authentication: 'SCRAM-SHA-256',
        credentials: users.scram256,
      }),
    ],
    [
      'SCRAM-SHA-512 over TLS',
      () => ({
        brokers: `127.0.0.1:${broker.ports.saslTls}`,
        authentication: 'SCRAM-SHA-512',
        credentials: users.scram512,
        caCertificate: broker.pem('ca.crt'),
      }),
    ],
    [
      'a client certificate',
      () => ({
        brokers: `127.0.0.1:${broker.ports.mutualTls}`,
        authentication: 'MUTUAL_TLS',
        caCertificate: broker.pem('ca.crt'),
        credentials: { certificate: broker.pem('client.crt'), privateKey: broker.pem('client.key') },
      }),
    ],
  ])('authentication with %s', async (name, change) => {
    const topic = `auth-${name.replaceAll(/[^\w]/g, '-')}`;
    await createTopic(topic, 1);
    await send(topic, 0, lines(0, 3));
    const pipe = run(topic, change());
    await pipe.read(() => pipe.lines.length >= 3);
    expect(pipe.lines).toEqual(lines(0, 3));
  });

  it.each<[string, () => Kafka, RegExp]>([
    [
      'a wrong password',
      () => ({
        brokers: `SASL_PLAINTEXT://127.0.0.1:${broker.ports.sasl}`,
        authentication: 'SCRAM-SHA-512',
        credentials: { ...users.scram512, password: 'wrong' },
      }),
      /reject the user name/,
    ],
    [
      'an unknown authority',
      () => ({
        brokers: `127.0.0.1:${broker.ports.saslTls}`,
        authentication: 'SCRAM-SHA-512',
        credentials: users.scram512,
      }),
      /not signed by an authority/,
    ],
    [
      'no client certificate',
      () => ({ brokers: `SSL://127.0.0.1:${broker.ports.mutualTls}`, caCertificate: broker.pem('ca.crt') }),
      /client certificate|cannot be reached/,
    ],
  ])('rejected: %s', async (_, change, reason) => {
    await expect(run('compressed', change()).read(() => false)).rejects.toThrow(reason);
  });

  it('partitions that are added while it reads', async () => {
    await createTopic('grown', 1);
    const pipe = run('grown', { offset: { strategy: 'from_latest' } });
    await pipe.read(() => pipe.lagMs === 0);
    const reading = pipe.read(() => pipe.lines.length >= 2);
    await admin.createPartitions({
      topics: [{ name: 'grown', count: 3, assignments: [{ brokerIds: [1] }, { brokerIds: [1] }] }],
      validateOnly: false,
    });
    await vi.waitFor(() => send('grown', 2, lines(0, 2)), { timeout: 20_000 });
    await reading;
    expect(pipe.lines).toEqual(lines(0, 2));
  });

  it(`a process killed ${kills} times while the broker is killed as well (seed ${seed})`, {
    timeout: 300_000,
  }, async () => {
    const random = randomOf(seed);
    const world = new PipeWorld(await openEngine());
    await createTopic('orders', 6);
    let rows = 0;
    const some = async (count: number) => {
      await send('orders', Math.floor(random() * 6), lines(rows, count));
      rows += count;
    };
    for (let batch = 0; batch < 60; batch++) await some(2_000);
    const id = await world.create({
      destination: {
        table: 'orders',
        columns: [
          { name: 'id', type: 'UInt64' },
          { name: 'name', type: 'String' },
        ],
      },
      scaling: { replicas: 2 },
      settings: { streaming_max_insert_wait_ms: 500, engine_min_insert_block_size_bytes: 1_048_576 },
      source: {
        kafka: {
          brokers: `SASL_PLAINTEXT://127.0.0.1:${broker.ports.sasl}`,
          topics: 'orders',
          authentication: 'SCRAM-SHA-512',
          credentials: users.scram512,
        },
      },
    });
    const stored = () => world.ask('count(), uniqExact(id), sum(id)', 'orders').catch(() => []);
    let deaths = 0;
    for (let kill = 0; kill < kills; kill++) {
      const mortal = new Mortal(momentOf(random));
      const owner = randomIds.uuid();
      const { leases, ledger, statements } = world.deps;
      world.launch(
        { leases: mortal.wrap(leases), ledger: mortal.wrap(ledger), statements: mortal.wrap(statements) },
        owner,
      );
      if (kill === Math.floor(kills / 2)) {
        await broker.kill('SIGKILL');
        await broker.launch();
      }
      for (let batch = 0; batch < 5; batch++) await vi.waitFor(() => some(200), { timeout: 30_000 });
      const wanted = sums(rows);
      const done = vi.waitUntil(async () => String(await stored()) === String(wanted), { timeout: 60_000 });
      await Promise.race([mortal.died.then(() => deaths++), done.catch(() => {})]);
      await world.runs.release(owner, id);
    }
    expect(deaths).toBeGreaterThan(kills / 2);
    world.start();
    await expect.poll(stored, { timeout: 60_000 }).toEqual(sums(rows));
    await world.stop();
  });
});
