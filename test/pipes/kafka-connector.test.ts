import { createServer } from 'node:http';
import avro from 'avsc';
import { Agent } from 'undici';
import { beforeEach, describe, expect, it } from 'vitest';
import { afterFile } from '../support/after-file.ts';
import type { TopicLog } from '../support/kafka-log.ts';
import { KafkaServer } from '../support/kafka-server.ts';
import { KafkaRun, type KafkaRunOptions } from './kafka-run.ts';

let kafka: KafkaServer;
let orders: TopicLog;
beforeEach(async () => {
  kafka = await KafkaServer.start();
  orders = kafka.createTopic('orders', 3);
});

function run(change: ConstructorParameters<typeof KafkaRun>[0] = {}, options: KafkaRunOptions = {}): KafkaRun {
  return new KafkaRun({ brokers: kafka.address, topics: 'orders', consumerGroup: 'g', ...change }, options);
}

const object = (id: number) => `{"id":${id}}`;
const objects = (from: number, count: number) => Array.from({ length: count }, (_, index) => object(from + index));
const has = (pipe: KafkaRun, lines: number) => () => pipe.lines.length >= lines;

describe('records', () => {
  it('of every partition and compression become rows, and the group knows how far they are written', async () => {
    orders.partition(0).append(objects(0, 10));
    orders.partition(1).append(objects(10, 10), { compression: 'gzip' });
    orders.partition(1).append(objects(20, 10), { compression: 'snappy' });
    orders.partition(2).append(objects(30, 10), { compression: 'lz4' });
    const pipe = run({}, { lanes: 2 });
    await pipe.read(has(pipe, 40));
    expect(pipe.lines).toEqual(objects(0, 40).toSorted());
    expect(Object.fromEntries(kafka.committed.get('g') ?? [])).toEqual({
      'orders/0': 10,
      'orders/1': 20,
      'orders/2': 10,
    });
  });

  it('of several topics', async () => {
    const items = kafka.createTopic('items');
    orders.partition(0).append([object(1)]);
    items.partition(0).append([object(2)]);
    const pipe = run({ topics: 'orders, items' });
    await pipe.read(has(pipe, 2));
    expect(pipe.lines).toEqual([object(1), object(2)]);
  });

  it('are objects over several lines, or several objects, one per line; without a value they are no rows', async () => {
    orders
      .partition(0)
      .append(['{\n "id": 1,\r\n "text": "}{"\n}', '{"id":2}\n{"id":3}\n', null, '', ' {"id":4} ', '{}']);
    const pipe = run();
    await pipe.read(has(pipe, 5));
    const [first] = [...pipe.rows.values()].flat();
    expect(JSON.parse(first ?? '')).toEqual({ id: 1, text: '}{' });
    expect([...pipe.rows.values()].flat().slice(1)).toEqual(['{"id":2}', '{"id":3}', '{"id":4}', '{}']);
    expect(pipe.positions).toEqual(['orders/0:0', 'orders/0:1', 'orders/0:1', 'orders/0:4', 'orders/0:5']);
    expect(pipe.unreadable.size).toBe(0);
  });

  it.each(['[1,2]', 'null', '{"id":1', '{"id":1}{"id":2}', '{"id":1} {"id":2}', '{"id":1}\nbroken', 'text'])(
    'that are no objects go to the error table, and the others flow: %s',
    async (bad) => {
      orders.partition(0).append([object(1), bad, object(2)]);
      const pipe = run();
      await pipe.read(has(pipe, 2));
      expect(pipe.lines).toEqual([object(1), object(2)]);
      expect([...pipe.unreadable.values()]).toEqual([
        { position: 'orders/0:1', reason: expect.stringMatching(/^The record /), record: bad },
      ]);
    },
  );

  it('of a batch that cannot be decompressed are one record of the error table', async () => {
    orders.partition(0).append([object(1)]);
    orders.partition(0).appendBroken();
    orders.partition(0).append([object(2)]);
    const pipe = run();
    await pipe.read(has(pipe, 2));
    expect(pipe.lines).toEqual([object(1), object(2)]);
    expect([...pipe.unreadable.keys()]).toEqual(['orders/0:1-1']);
  });

  it.each([
    [true, [object(1), object(4)]],
    [false, objects(1, 4)],
  ])('of aborted transactions are rows unless only committed ones are read (%s)', async (isCommittedOnly, rows) => {
    orders.partition(0).append([object(1)]);
    orders.partition(0).appendAborted([object(2), object(3)]);
    orders.partition(0).append([object(4)]);
    const pipe = run({}, { settings: { kafka_read_committed: isCommittedOnly } });
    await pipe.read(has(pipe, rows.length));
    expect(pipe.lines).toEqual(rows);
    expect(pipe.ledger.get('offset orders/0')).toBe('5');
  });

  it('bring along where they come from, where a column or mapping asks for it', async () => {
    orders.partition(2).append([object(1), '{}'], { timestampMs: Date.UTC(2026, 0, 2), keys: ['a"b'] });
    const pipe = run({}, { columns: ['_topic', '_partition', '_offset', '_timestamp', '_key'] });
    await pipe.read(has(pipe, 2));
    const origin = { _topic: 'orders', _partition: 2, _timestamp: '2026-01-02 00:00:00.000' };
    expect(pipe.lines.map((line) => JSON.parse(line)).toSorted((a, b) => a._offset - b._offset)).toEqual([
      { ...origin, _offset: 0, _key: 'a"b', id: 1 },
      { ...origin, _offset: 1, _key: null },
    ]);
  });
});

it('says how far it is behind, in time and records, and when there is nothing new', async () => {
  for (let from = 0; from < 30; from += 10) {
    orders.partition(0).append(objects(from, 10), { timestampMs: Date.now() - 60_000 });
  }
  const pipe = run({}, { batchBytesMax: 1 });
  await pipe.read(() => false, 1);
  expect(pipe.lagMs).toBeGreaterThanOrEqual(60_000);
  expect([10, 20]).toContain(pipe.lagRecords);
  await pipe.read(() => pipe.lagMs === 0);
  expect(pipe.lagRecords).toBe(0);
});

describe('where a pipe begins', () => {
  const early = { timestampMs: Date.UTC(2026, 0, 1) };
  const late = { timestampMs: Date.UTC(2026, 0, 3) };
  beforeEach(() => {
    orders.partition(0).append([object(1)], early);
    orders.partition(0).append([object(2)], late);
  });

  it.each([
    ['at the beginning', { strategy: 'from_beginning' as const }, 3],
    ['with what comes', { strategy: 'from_latest' as const }, 1],
    ['at a moment', { strategy: 'from_timestamp' as const, timestamp: '2026-01-02T00:00' }, 2],
    ['at a moment without a strategy', { timestamp: '2026-01-02T00:00' }, 2],
    ['at a moment after the last record', { timestamp: '2026-01-04T00:00' }, 1],
  ])('%s', async (_, offset, count) => {
    const pipe = run({ offset });
    await pipe.read(() => pipe.lagMs === 0 || pipe.lines.length > 0);
    orders.partition(0).append([object(3)], { timestampMs: Date.UTC(2026, 0, 5) });
    await pipe.read(has(pipe, count));
    expect(pipe.lines).toEqual([object(1), object(2), object(3)].slice(-count));
  });

  it('where its group is, if that has read before', async () => {
    kafka.committed.set('g', new Map([['orders/0', 1]]));
    const pipe = run();
    await pipe.read(has(pipe, 1));
    expect(pipe.lines).toEqual([object(2)]);
  });

  it('where the ledger is, whatever the group says', async () => {
    const pipe = run();
    await pipe.read(has(pipe, 2));
    kafka.committed.set('g', new Map([['orders/0', 0]]));
    orders.partition(0).append([object(3)]);
    await pipe.read(has(pipe, 3));
    expect(pipe.lines).toEqual(objects(1, 3));
    expect(kafka.committed.get('g')?.get('orders/0')).toBe(3);
  });

  it('at the beginning of a partition that is added, however it began', async () => {
    const pipe = run({ offset: { strategy: 'from_latest' } });
    await pipe.read(() => pipe.lagMs === 0);
    orders.addPartition().append([object(9)]);
    await pipe.read(has(pipe, 1));
    const reading = pipe.read(has(pipe, 2));
    orders.addPartition().append([object(10)]);
    await reading;
    expect(pipe.lines).toEqual([object(10), object(9)].toSorted());
  });
});

describe('what is lost', () => {
  it('to retention is reported once, and the oldest that is left comes next', async () => {
    orders.partition(0).append(objects(0, 2));
    const pipe = run();
    await pipe.read(has(pipe, 2));
    orders.partition(0).append(objects(2, 4));
    orders.partition(0).append(objects(6, 2));
    orders.partition(0).dropBefore(6);
    await expect(pipe.read(() => false)).rejects.toThrow(/removed 4 records of orders\/0 .* continues with the oldest/);
    await pipe.read(has(pipe, 4));
    expect(pipe.lines).toEqual([...objects(0, 2), ...objects(6, 2)]);
  });

  it('with a topic that is made anew is reported once, and the new topic is read from its beginning', async () => {
    orders.partition(0).append(objects(0, 5));
    const pipe = run();
    await pipe.read(has(pipe, 5));
    kafka.createTopic('orders', 3).partition(0).append(objects(5, 5));
    await expect(pipe.read(() => false)).rejects.toThrow(/made anew/);
    await pipe.read(has(pipe, 10));
    expect(pipe.lines).toEqual(objects(0, 10).toSorted());
  });
});

describe('a process that dies', () => {
  it.each([0, 1, 2, 3, 4, 5])('after %i writes leaves nothing out and nothing twice', async (writes) => {
    for (let from = 0; from < 60; from += 10) orders.partition(from % 3).append(objects(from, 10));
    // Each batch of the broker is one of the pipe.
    const pipe = run({}, { lanes: 2, batchBytesMax: 1 });
    await pipe.read(() => false, writes + 1);
    orders.partition(1).append(objects(60, 10));
    await pipe.read(has(pipe, 70));
    expect(pipe.lines).toEqual(objects(0, 70).toSorted());
    expect([...pipe.ledger.keys()].filter((key) => key.startsWith('plan'))).toEqual([]);
  });

  it('everything that it had begun is written in the same batches, before anything else', async () => {
    for (let from = 0; from < 8; from += 2) orders.partition(0).append(objects(from, 2));
    const pipe = run();
    const planned = [0, 2, 4].map((from) => JSON.stringify([['orders', orders.id, 0, 0, from, from + 2]]));
    for (const [index, plan] of planned.entries()) pipe.ledger.set(`plan ${String(index + 1).padStart(15, '0')}`, plan);
    pipe.ledger.set('topic orders', orders.id);
    for (const partition of [0, 1, 2]) pipe.ledger.set(`offset orders/${partition}`, '0');
    await pipe.read(has(pipe, 8));
    expect([...pipe.rows.keys()].slice(0, 3)).toEqual(planned);
    expect(pipe.lines).toEqual(objects(0, 8));
  });

  it('what is left of what it had begun is written, and what is not is reported, if retention comes in between', async () => {
    orders.partition(0).append(objects(0, 4));
    orders.partition(1).append(objects(4, 2));
    orders.partition(1).append(objects(6, 2));
    const pipe = run();
    const range = (partition: number) => ['orders', orders.id, partition, 0, 0, 4];
    pipe.ledger.set('plan 000000000000001', JSON.stringify([range(0), range(1)]));
    pipe.ledger.set('topic orders', orders.id);
    for (const partition of [0, 1, 2]) pipe.ledger.set(`offset orders/${partition}`, '0');
    orders.partition(1).dropBefore(2);
    await expect(pipe.read(() => false)).rejects.toThrow(
      /^2 records of a batch that was interrupted .* may be missing/,
    );
    expect(pipe.lines).toEqual([...objects(0, 4), ...objects(6, 2)]);
    expect(pipe.ledger.get('offset orders/1')).toBe('4');
  });

  it('what it had begun is written in the same batch, though more has come since', async () => {
    orders.partition(0).append(objects(0, 3));
    const pipe = run();
    await pipe.read(() => false, 1);
    const [begun] = pipe.rows.keys();
    orders.partition(0).append(objects(3, 3));
    await pipe.read(has(pipe, 6));
    expect([...pipe.rows.keys()].filter((identity) => identity === begun)).toHaveLength(1);
    expect(pipe.lines).toEqual(objects(0, 6));
  });
});

describe('a source', () => {
  it('that is away is away, and goes on when it is back', async () => {
    orders.partition(0).append([object(1)]);
    const pipe = run();
    await pipe.read(has(pipe, 1));
    await kafka.stop();
    await expect(pipe.read(() => false)).rejects.toMatchObject({ kind: 'away' });
    await kafka.start();
    orders.partition(0).append([object(2)]);
    await pipe.read(has(pipe, 2));
    expect(pipe.lines).toEqual(objects(1, 2));
  });

  it('that restarts shortly is waited for', async () => {
    orders.partition(0).append([object(1)]);
    const pipe = run();
    const reading = pipe.read(has(pipe, 2));
    await expect.poll(() => pipe.lines.length).toBe(1);
    await kafka.stop();
    orders.partition(0).append([object(2)]);
    await kafka.start();
    await reading;
    expect(pipe.lines).toEqual(objects(1, 2));
  });

  it('without the topic says so', async () => {
    await expect(run({ topics: 'nothing' }).read(() => false)).rejects.toThrow('There is no topic nothing.');
  });

  it.each(['169.254.169.254', '10.0.0.1', '::1'])('that advertises %s is not followed', async (host) => {
    kafka.advertised = { host, port: 9092 };
    const failure = run().read(() => false);
    await expect(failure).rejects.toMatchObject({ kind: 'rejected', message: expect.stringContaining('advertises') });
    await expect(failure).rejects.not.toThrow(host);
  });

  it('at a private address is not connected to unless the operator allows it', async () => {
    const failure = run({}, { allowedHosts: [] }).read(() => false);
    await expect(failure).rejects.toMatchObject({ kind: 'rejected' });
  });

  it('whose group is used by others is rejected', async () => {
    kafka.groupsHaveMembers = true;
    await expect(run().read(() => false)).rejects.toThrow(/Another consumer has joined the consumer group/);
  });

  it.each(['right', 'wrong'])('with the %s password', async (password) => {
    kafka.user = { username: 'ada', password: 'right' };
    orders.partition(0).append([object(1)]);
    const credentials = { username: 'ada', password };
    const pipe = run({ brokers: `SASL_PLAINTEXT://${kafka.address}`, authentication: 'PLAIN', credentials });
    const reading = pipe.read(has(pipe, 1));
    if (password === 'right') await reading;
    else await expect(reading).rejects.toThrow('The brokers reject the user name or the password.');
    expect(pipe.lines).toHaveLength(password === 'right' ? 1 : 0);
  });
});

describe('Avro', () => {
  const shop = {
    type: 'record',
    name: 'Shop',
    fields: [
      { name: 'id', type: 'long' },
      { name: 'at', type: { type: 'long', logicalType: 'timestamp-millis' } },
      { name: 'day', type: { type: 'int', logicalType: 'date' } },
      { name: 'price', type: { type: 'bytes', logicalType: 'decimal', precision: 9, scale: 2 } },
      { name: 'note', type: ['null', 'string'] },
      { name: 'either', type: ['int', 'double'] },
      { name: 'tags', type: { type: 'map', values: 'string' } },
    ],
  } as const;
  const type = avro.Type.forSchema(shop as unknown as avro.Schema);
  const value = {
    id: 7,
    at: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
    day: 20_455,
    price: Buffer.from([0xff, 0x85]),
    note: 'a"b',
    either: { double: 1.5 },
    tags: { a: 'b' },
  };
  const row = {
    id: 7,
    at: '2026-01-02 03:04:05.006',
    day: '2026-01-02',
    price: '-1.23',
    note: 'a"b',
    either: 1.5,
    tags: { a: 'b' },
  };
  const framed = (id: number, bytes: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, 0, id]), bytes]);
  let url: string;
  let asked: (string | undefined)[];
  beforeEach(async () => {
    asked = [];
    const server = createServer((request, response) => {
      asked.push(request.headers.authorization);
      const schema = request.url === '/schemas/ids/1' ? JSON.stringify(shop) : undefined;
      response.writeHead(schema ? 200 : 404).end(JSON.stringify({ schema }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const place = server.address();
    url = `http://127.0.0.1:${typeof place === 'object' ? place?.port : 0}`;
    afterFile(() => server.close());
  });

  it('with schemas of a registry, asked for once with the credentials; unknown schemas are reported', async () => {
    const bytes = type.toBuffer(value);
    orders.partition(0).append([framed(1, bytes), framed(9, bytes), framed(1, bytes.subarray(3)), framed(1, bytes)]);
    const schemaRegistry = { url, authentication: 'PLAIN', credentials: { username: 'u', password: 'p' } };
    const pipe = run({ format: 'AvroConfluent', schemaRegistry }, { agent: new Agent() });
    await pipe.read(has(pipe, 2));
    expect(pipe.lines.map((line) => JSON.parse(line))).toEqual([row, row]);
    expect([...pipe.unreadable.values()].map(({ position, reason }) => [position, reason])).toEqual([
      ['orders/0:1', 'The registry knows no schema with the number 9.'],
      ['orders/0:2', 'The record is not what its Avro schema says.'],
    ]);
    const basic = `Basic ${Buffer.from('u:p').toString('base64')}`;
    expect(asked).toEqual([basic, basic]);
  });

  it('in containers that bring their schema along', async () => {
    const encoder = new avro.streams.BlockEncoder(shop as unknown as avro.Schema, { codec: 'deflate' });
    encoder.write(value);
    encoder.end(value);
    orders.partition(0).append([Buffer.concat(await encoder.toArray()), 'text']);
    const pipe = run({ format: 'Avro' });
    await pipe.read(has(pipe, 2));
    expect(pipe.lines.map((line) => JSON.parse(line))).toEqual([row, row]);
    expect([...pipe.unreadable.keys()]).toEqual(['orders/0:1']);
  });
});
