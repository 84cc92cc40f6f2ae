import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pipeConnectors } from '../../src/app/pipe-connectors.ts';
import { pipeLifecycle } from '../../src/app/pipe-service.ts';
import { RunnablePipes } from '../../src/app/runnable-pipes.ts';
import { TestApi } from '../../src/http/testing.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { randomIds } from '../../src/kernel/ids.ts';
import { RecordingLogger } from '../../src/kernel/recording-logger.ts';
import { guardedAgent } from '../../src/notify/guarded-agent.ts';
import { SsrfGuard } from '../../src/notify/target-guard.ts';
import { FakePipeRuns } from '../../src/pipes/fake-pipe-runs.ts';
import { discoverPipeSchema } from '../../src/resources/pipe-tables/operations/discover-pipe-schema.ts';
import { PipeSchemaService } from '../../src/resources/pipe-tables/pipe-schema-service.ts';
import { FakePipeRepository } from '../../src/resources/pipes/fake-pipe-repository.ts';
import { secrets } from '../scenarios/pipes/pipe-api.ts';
import { afterFile } from '../support/after-file.ts';
import { KafkaServer } from '../support/kafka-server.ts';
import { accessKey, S3Server } from '../support/s3-server.ts';
import { openEngine } from '../support/start-engine.ts';

let s3: S3Server;
let kafka: KafkaServer;
let api: TestApi;

beforeAll(async () => {
  [s3, kafka] = await Promise.all([S3Server.start(), KafkaServer.start()]);
  const guard = new SsrfGuard(['127.0.0.1']);
  const dispatcher = guardedAgent(guard, 5_000);
  afterFile(() => dispatcher.destroy());
  const connectors = pipeConnectors({ dispatcher, guard, clock: systemClock });
  const tenants = { find: async () => undefined, list: async () => [] };
  const pipes = new FakePipeRepository();
  const lifecycle = pipeLifecycle({
    ...{ pipes, runs: new FakePipeRuns(pipes), secrets, tenants, connectors },
    ...{ ids: randomIds, clock: systemClock, logger: new RecordingLogger() },
  });
  const { queryRunner: runner } = await openEngine();
  const schemas = new PipeSchemaService({ lifecycle, sampler: new RunnablePipes(connectors, tenants), runner });
  api = new TestApi('managed', [discoverPipeSchema(schemas)]);
});

beforeEach(() => s3.objects.clear());

const objects = (change: object = {}) => ({
  objectStorage: {
    ...{ type: 's3', authentication: 'IAM_USER', accessKey, format: 'JSONEachRow', url: `${s3.url}/*` },
    ...change,
  },
});
const topic = (topics: string, change: object = {}) => ({
  kafka: { brokers: kafka.address, format: 'JSONEachRow', topics, ...change },
});
const field = (name: string, type: string, optional = true) => ({ name, type, optional });

async function discover(source: object) {
  const answer = await api.send('POST', '/pipes/schemaDiscovery', { body: { source } });
  return { status: answer.status, ...(answer.json as { result?: unknown; error?: string }) };
}

describe('the fields of records', () => {
  it('JSON lines: the types of all values that were seen, however many records there are', async () => {
    const lines = Array.from({ length: 20_000 }, (_, id) => `{"id":${id},"name":"n","at":"2026-01-01 00:00:00"}\n`);
    s3.put('a.json', `${lines.join('')}{"id":1.5,"tags":["a"],"deep":{"x":1}}\n`);
    const { status, result } = await discover(objects());
    expect(status).toBe(200);
    const { fields, meta } = result as { fields: object[]; meta: { sampledRecords: string } };
    expect(fields).toEqual([field('id', 'Int64'), field('name', 'String'), field('at', 'DateTime')]);
    expect(Number(meta.sampledRecords)).toBeGreaterThan(500);
    s3.put('a.json', '{"id":1,"tags":["a"],"deep":{"x":1}}\n{"id":1.5,"new":true}\n');
    expect((await discover(objects())).result).toEqual({
      fields: [
        field('id', 'Float64'),
        field('tags', 'Array(Nullable(String))', false),
        field('deep', 'Tuple(x Nullable(Int64))', false),
        field('new', 'Bool'),
      ],
      meta: { sampledRecords: '2' },
    });
  });

  it.each<[string, string, object, object[]]>([
    ['a list of JSON objects', '[{"id":1},{"id":2,"ok":true}]', {}, [field('id', 'Int64'), field('ok', 'Bool')]],
    [
      'CSV with names and a delimiter',
      'number;"the name"\n1;a\n2;b\n',
      { format: 'CSVWithNames', delimiter: ';' },
      [field('number', 'Int64'), field('the name', 'String')],
    ],
    ['tabs without names', '1\ta\n', { format: 'TabSeparated' }, [field('c1', 'Int64'), field('c2', 'String')]],
  ])('%s', async (_, text, change, fields) => {
    s3.put('a', text);
    expect(await discover(objects(change))).toMatchObject({ status: 200, result: { fields } });
  });

  it('records of a topic; nothing is committed there', async () => {
    kafka.createTopic('orders', 2).partition(1).append(['{"id":7,"name":"n"}']);
    const source = topic('orders', { consumerGroup: 'g' });
    const expected = { fields: [field('id', 'Int64'), field('name', 'String')], meta: { sampledRecords: '1' } };
    for (let time = 0; time < 2; time++) expect((await discover(source)).result).toEqual(expected);
  });

  it('a source without a record yet has none', async () => {
    expect(await discover(objects())).toMatchObject({
      status: 200,
      result: { fields: [], meta: { sampledRecords: '0' } },
    });
  });
});

describe('what cannot be answered is said in a sentence', () => {
  it.each<[string, () => object, RegExp]>([
    ['text that is no JSON', () => objects(), /cannot be read in the format that the source names/],
    ['a wrong key', () => objects({ accessKey: { ...accessKey, secretKey: 'planted' } }), /denies access/],
    ['a record that is too large', () => objects({ url: `${s3.url}/large/*` }), /too large to look into/],
    ['a list that is too large', () => objects({ url: `${s3.url}/list/*` }), /too large to look into/],
    ['Parquet', () => objects({ format: 'Parquet' }), /fields of Parquet objects are not listed/],
    ['a database', () => ({ postgres: { host: 'db', database: 'x' } }), /source\.postgres/],
    ['nothing', () => ({}), /source/],
  ])('%s', async (_, source, sentence) => {
    s3.put('a.json', 'broken\n');
    s3.put('large/a.json', `{"a":"${'\\\\"'.repeat(30_000)}"}\n`);
    s3.put('list/a.json', `[${'{"a":1},'.repeat(20_000)}{}]`);
    const { status, error = '' } = await discover(source());
    expect([status, error]).toEqual([400, expect.stringMatching(sentence)]);
    expect(error).not.toMatch(/planted|DB::Exception|127\.0\.0\.1/);
  });
});
