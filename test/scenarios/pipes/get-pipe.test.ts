import { describe, expect, it } from 'vitest';
import { pipeStates } from '../../../src/contract/pipe.ts';
import { organizationId, otherServiceId, serviceId } from '../../../src/http/testing.ts';
import { isUuid } from '../../../src/kernel/ids.ts';
import { FakePipeRepository } from '../../../src/resources/pipes/fake-pipe-repository.ts';
import { aliasedFlavour, PipeApi } from './pipe-api.ts';
import { asWritten, goldenPipes, pipeId } from './pipe-fixtures.ts';

const missingId = '00000000-0000-4000-8000-000000000000';
const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

describe('seed §Get pipe: 200', () => {
  it.each(Object.entries(goldenPipes))('a pipe from %s shows exactly what applies', async (_, golden) => {
    const api = new PipeApi();
    await api.apply(asWritten(golden));
    const answer = await api.send('GET', `/pipes/${pipeId}`);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      requestId: expect.toSatisfy(isUuid),
      result: {
        id: pipeId,
        serviceId,
        ...golden,
        createdAt: expect.stringMatching(rfc3339),
        updatedAt: expect.stringMatching(rfc3339),
      },
      status: 200,
    });
    expect(answer.headers['x-request-id']).toBe((answer.json as { requestId: string }).requestId);
  });

  it('U-121: two calls have two request ids', async () => {
    const api = new PipeApi();
    await api.apply(asWritten(goldenPipes.kafka));
    const requestIds = await Promise.all(
      [1, 2].map(async () => (await api.send('GET', `/pipes/${pipeId}`)).json as { requestId: string }),
    );
    expect(new Set(requestIds.map(({ requestId }) => requestId)).size).toBe(2);
  });

  it('U-95: absent stays absent, and an empty list, object or text is no absence', async () => {
    const api = new PipeApi();
    expect(Object.keys(await api.shown({ id: pipeId, name: 'bare' })).sort()).toEqual(
      ['createdAt', 'id', 'name', 'serviceId', 'state', 'updatedAt'].sort(),
    );
    const source = { kafka: { reversePrivateEndpointIds: [], offset: {}, consumerGroup: '' }, kinesis: {} };
    const empty = { id: pipeId, name: 'empty', destination: {}, fieldMappings: [], scaling: {}, settings: {}, source };
    expect(await api.shown(empty)).toMatchObject({ ...empty, source });
  });

  it('ids are found in any case and shown in lower case', async () => {
    const api = new PipeApi();
    await api.apply({ id: pipeId.toUpperCase(), name: 'orders' });
    expect(api.unwrap(await api.send('GET', `/pipes/${pipeId.toUpperCase()}`))).toMatchObject({ id: pipeId });
  });

  it('a read-only key may read', async () => {
    const api = new PipeApi();
    await api.apply({ id: pipeId, name: 'orders' });
    expect((await api.send('GET', `/pipes/${pipeId}`, { key: 'reader' })).status).toBe(200);
  });
});

/** The rows of the seed's tables: path → type. */
const seedRows: [path: string, type: string][] = [
  ['id', 'string (UUID)'],
  ['serviceId', 'string (UUID)'],
  ['name', 'string'],
  ['state', 'string'],
  ['createdAt', 'string'],
  ['updatedAt', 'string'],
  ['destination', 'object'],
  ['fieldMappings', 'array of object'],
  ['fieldMappings.0.sourceField', 'string'],
  ['fieldMappings.0.destinationField', 'string'],
  ['scaling', 'object'],
  ['settings', 'object'],
  ['source', 'object'],
  ['destination.database', 'string'],
  ['destination.table', 'string'],
  ['destination.managedTable', 'boolean'],
  ['destination.columns', 'array of object'],
  ['destination.columns.0.name', 'string'],
  ['destination.columns.0.type', 'string'],
  ['destination.tableDefinition', 'object'],
  ['destination.tableDefinition.engine', 'object'],
  ['destination.tableDefinition.engine.columnIds', 'array of string'],
  ['destination.tableDefinition.engine.versionColumnId', 'string'],
  ['destination.tableDefinition.partitionBy', 'string'],
  ['destination.tableDefinition.primaryKey', 'string'],
  ['destination.tableDefinition.sortingKey', 'array of string'],
  ['scaling.concurrency', 'integer'],
  ['scaling.replicas', 'integer'],
  ['scaling.replicaCpuMillicores', 'integer'],
  ['scaling.replicaMemoryGb', 'number'],
  ['settings.engine_max_download_threads', 'integer'],
  ['settings.engine_max_insert_threads', 'integer'],
  ['settings.engine_max_threads', 'integer'],
  ['settings.engine_min_insert_block_size_bytes', 'integer'],
  ['settings.engine_parallel_distributed_insert_select', 'integer'],
  ['settings.engine_parallel_view_processing', 'boolean'],
  ['settings.object_storage_concurrency', 'integer'],
  ['settings.object_storage_max_file_count', 'integer'],
  ['settings.object_storage_max_insert_bytes', 'integer'],
  ['settings.object_storage_polling_interval_ms', 'integer'],
  ['settings.object_storage_use_cluster_function', 'boolean'],
  ['settings.streaming_max_insert_wait_ms', 'integer'],
  ['source.kafka.brokers', 'string'],
  ['source.kafka.topics', 'string'],
  ['source.kafka.consumerGroup', 'string'],
  ['source.kafka.iamRole', 'string'],
  ['source.kafka.caCertificate', 'string'],
  ['source.kafka.offset', 'object'],
  ['source.kafka.offset.timestamp', 'string'],
  ['source.kafka.reversePrivateEndpointIds', 'array of string'],
  ['source.kafka.schemaRegistry', 'object'],
  ['source.kafka.schemaRegistry.authentication', 'string'],
  ['source.kafka.schemaRegistry.caCertificate', 'string'],
  ['source.kafka.schemaRegistry.url', 'string'],
  ['source.kinesis.iamRole', 'string'],
  ['source.kinesis.region', 'string'],
  ['source.kinesis.streamName', 'string'],
  ['source.kinesis.timestamp', 'integer'],
  ['source.kinesis.useEnhancedFanOut', 'boolean'],
  ['source.objectStorage.url', 'string'],
  ['source.objectStorage.path', 'string'],
  ['source.objectStorage.azureContainerName', 'string'],
  ['source.objectStorage.connectionString', 'string'],
  ['source.objectStorage.iamRole', 'string'],
  ['source.objectStorage.compression', 'string'],
  ['source.objectStorage.delimiter', 'string'],
  ['source.objectStorage.isContinuous', 'boolean'],
  ['source.objectStorage.queueUrl', 'string'],
  ['source.postgres.host', 'string'],
  ['source.postgres.port', 'integer'],
  ['source.postgres.database', 'string'],
  ['source.postgres.settings', 'object'],
  ['source.postgres.settings.allowNullableColumns', 'boolean'],
  ['source.postgres.settings.enableFailoverSlots', 'boolean'],
  ['source.postgres.settings.initialLoadParallelism', 'integer'],
  ['source.postgres.settings.publicationName', 'string'],
  ['source.postgres.settings.pullBatchSize', 'integer'],
  ['source.postgres.settings.replicationSlotName', 'string'],
  ['source.postgres.settings.snapshotNumRowsPerPartition', 'integer'],
  ['source.postgres.settings.snapshotNumberOfParallelTables', 'integer'],
  ['source.postgres.settings.syncIntervalSeconds', 'integer'],
  ['source.postgres.tableMappings', 'array of object'],
  ['source.postgres.tableMappings.0.sourceSchemaName', 'string'],
  ['source.postgres.tableMappings.0.sourceTable', 'string'],
  ['source.postgres.tableMappings.0.targetTable', 'string'],
  ['source.postgres.tableMappings.0.excludedColumns', 'array of string'],
  ['source.postgres.tableMappings.0.sortingKeys', 'array of string'],
  ['source.postgres.tableMappings.0.useCustomSortingKey', 'boolean'],
];

/** Beside the seed's (decisions P1): what official clients need to take a pipe over. */
const storedRows: typeof seedRows = [
  ['destination.tableDefinition.engine.type', 'string'],
  ['destination.tableDefinition.ttl', 'string'],
  ['settings.kafka_read_committed', 'boolean'],
  ['source.kafka.type', 'string'],
  ['source.kafka.format', 'string'],
  ['source.kafka.authentication', 'string'],
  ['source.kafka.offset.strategy', 'string'],
  ['source.kafka.exactlyOnce', 'boolean'],
  ['source.kafka.tombstoneMode', 'string'],
  ['source.kinesis.format', 'string'],
  ['source.kinesis.iteratorType', 'string'],
  ['source.kinesis.authentication', 'string'],
  ['source.kinesis.schemaRegistry', 'object'],
  ['source.kinesis.schemaRegistry.url', 'string'],
  ['source.objectStorage.type', 'string'],
  ['source.objectStorage.format', 'string'],
  ['source.objectStorage.authentication', 'string'],
  ['source.objectStorage.skipInitialLoad', 'boolean'],
  ['source.objectStorage.startAfter', 'string'],
  ['source.postgres.type', 'string'],
  ['source.postgres.authentication', 'string'],
  ['source.postgres.iamRole', 'string'],
  ['source.postgres.tlsHost', 'string'],
  ['source.postgres.caCertificate', 'string'],
  ['source.postgres.disableTls', 'boolean'],
  ['source.postgres.skipCertVerification', 'boolean'],
  ['source.postgres.settings.replicationMode', 'string'],
  ['source.postgres.settings.deleteOnMerge', 'boolean'],
  ['source.postgres.tableMappings.0.tableEngine', 'string'],
  ['source.postgres.tableMappings.0.partitionKey', 'string'],
  ['source.postgres.tableMappings.0.partitionByExpr', 'string'],
];

const isType: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  'string (UUID)': (value) => typeof value === 'string' && isUuid(value),
  integer: Number.isInteger,
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  object: isObject,
  'array of string': (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  'array of object': (value) => Array.isArray(value) && value.every(isObject),
};

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Every path of a value, list items by their number. */
function pathsOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const here = path === '' ? key : `${path}.${key}`;
    return [here, ...pathsOf(item, here)];
  });
}

function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value);
}

describe('seed §Pipe, row by row', () => {
  it('every row is there with its type, beside it what else is stored, and nothing else', async () => {
    const result = await new PipeApi().shown(asWritten(goldenPipes.everything));
    const rows = [...seedRows, ...storedRows];
    const wrong = rows.filter(([path, type]) => !isType[type]?.(at(result, path)));
    expect(wrong).toEqual([]);
    const known = new Set([...rows.map(([path]) => path), ...Object.keys(goldenPipes).map((kind) => `source.${kind}`)]);
    const firstItems = (path: string): string => path.replaceAll(/\.\d+(?=\.)/g, '.0');
    const surplus = pathsOf(result).filter((path) => !known.has(firstItems(path)) && !/\.\d+$/.test(path));
    expect(surplus).toEqual([]);
  });

  it('integers beyond 2^31 and fractional memory stay what they are', async () => {
    const text = (await new PipeApi().shown(asWritten(goldenPipes.everything))) as never;
    expect(JSON.stringify(text)).toContain('"object_storage_max_insert_bytes":53687091200');
    expect(JSON.stringify(text)).toContain('"snapshotNumRowsPerPartition":5000000000');
    expect(JSON.stringify(text)).toContain('"replicaMemoryGb":0.5');
  });
});

describe('states (seed: the state field is a string; decisions P3)', () => {
  it.each([...pipeStates, 'Dreaming'])('%s is stored and shown as given', async (state) => {
    expect(await new PipeApi().shown({ id: pipeId, name: 'orders', state })).toMatchObject({ state });
  });

  it('a pipe that is written without state is in state Unknown', async () => {
    expect(await new PipeApi().shown({ id: pipeId, name: 'orders' })).toMatchObject({ state: 'Unknown' });
  });
});

describe('statuses (decisions P4; seed §Error object: exactly error and status)', () => {
  const scope = (organization: string, service: string) => `/v1/organizations/${organization}/services/${service}`;
  const own = scope(organizationId, serviceId);
  const rows: [title: string, status: number, word: string, path: string, key?: 'none' | 'wrong'][] = [
    ['malformed pipe id', 400, 'BAD_REQUEST: pipeId: ', `${own}/pipes/orders`],
    ['malformed organization id', 400, 'BAD_REQUEST: organizationId: ', `${scope('acme', serviceId)}/pipes/${pipeId}`],
    ['malformed service id', 400, 'BAD_REQUEST: serviceId: ', `${scope(organizationId, 'live')}/pipes/${pipeId}`],
    ['no credentials', 401, 'UNAUTHORIZED', `${own}/pipes/${pipeId}`, 'none'],
    ['wrong credentials', 401, 'UNAUTHORIZED', `${own}/pipes/${pipeId}`, 'wrong'],
    ['wrong credentials, malformed id', 401, 'UNAUTHORIZED', `${own}/pipes/orders`, 'wrong'],
    ['another organization', 403, 'FORBIDDEN', `${scope(missingId, serviceId)}/pipes/${pipeId}`],
    ['another service that exists', 403, 'FORBIDDEN', `${scope(organizationId, otherServiceId)}/pipes/${pipeId}`],
    ['another service that does not exist', 403, 'FORBIDDEN', `${scope(organizationId, missingId)}/pipes/${pipeId}`],
    ['a pipe that does not exist', 404, 'NOT_FOUND', `${own}/pipes/${missingId}`],
    ['pipes below the stack segment', 404, 'NOT_FOUND', `${own}/stack/pipes/${pipeId}`],
    ['the path words of other clients', 404, 'NOT_FOUND', `${own}/clickpipes/${pipeId}`],
  ];

  it.each(rows)('%s: %i', async (_, status, word, path, key = undefined) => {
    const api = new PipeApi();
    await api.apply({ id: pipeId, name: 'orders' });
    const answer = await api.sendTo('GET', path, key ? { key } : {});
    expect([answer.status, answer.json]).toEqual([status, { error: expect.any(String), status }]);
    expect(api.errorText(answer)).toContain(word);
  });

  it('decisions F2: another service’s pipe looks exactly like a missing one', async () => {
    const api = new PipeApi();
    await api.apply({ id: pipeId, name: 'orders' }, otherServiceId);
    const foreign = await api.send('GET', `/pipes/${pipeId}`);
    const missing = await api.send('GET', `/pipes/${missingId}`);
    expect([foreign.status, foreign.json]).toEqual([404, missing.json]);
  });

  it.each(['POST', 'PUT'] as const)('%s is not offered: 404', async (method) => {
    const api = new PipeApi();
    await api.apply({ id: pipeId, name: 'orders' });
    const answer = await api.sendTo(method, `${own}/pipes/${pipeId}`, { body: {} });
    expect([answer.status, answer.json]).toEqual([404, { error: expect.any(String), status: 404 }]);
  });

  it('429 when the key asks too often, with the moment from which it may ask again', async () => {
    const api = new PipeApi({ rateLimit: { requests: 1, windowMs: 10_000 } });
    await api.apply({ id: pipeId, name: 'orders' });
    expect((await api.send('GET', `/pipes/${pipeId}`)).status).toBe(200);
    const answer = await api.send('GET', `/pipes/${pipeId}`);
    expect([answer.status, answer.json]).toEqual([429, { error: 'TOO_MANY_REQUESTS', status: 429 }]);
    expect(answer.headers['x-ratelimit-reset']).toBeDefined();
    expect(answer.headers['retry-after']).toBeDefined();
  });

  it('500 says nothing about the cause', async () => {
    class BrokenPipes extends FakePipeRepository {
      override async find(): Promise<never> {
        throw new Error('select from pipes on db-7.internal failed');
      }
    }
    const answer = await new PipeApi({ pipes: new BrokenPipes() }).send('GET', `/pipes/${pipeId}`);
    expect([answer.status, answer.json]).toEqual([500, { error: 'INTERNAL_ERROR', status: 500 }]);
  });
});

describe('availability (seed: pipes are not offered self-hosted)', () => {
  it('404 as JSON in that flavour’s shape', async () => {
    const answer = await new PipeApi({ name: 'selfHosted' }).send('GET', `/pipes/${pipeId}`);
    expect([answer.status, answer.json]).toEqual([404, { message: expect.any(String) }]);
  });
});

describe('decisions F7: the words of existing clients', () => {
  it('below clickpipes the settings have the prefix clickhouse_, below pipes engine_; the rest is the same', async () => {
    const api = new PipeApi({ flavour: aliasedFlavour() });
    const own = await api.shown(asWritten(goldenPipes.kafka));
    const path = api.path('/pipes').replace('/pipes', `/clickpipes/${pipeId}`);
    const aliased = api.unwrap(await api.sendTo('GET', path)) as typeof own;
    const { settings, ...rest } = own;
    const { settings: aliasedSettings, ...aliasedRest } = aliased;
    expect(aliasedRest).toEqual(rest);
    expect(JSON.stringify(aliasedSettings)).toBe(JSON.stringify(settings).replaceAll('"engine_', '"clickhouse_'));
    expect(Object.keys(aliasedSettings ?? {}).filter((name) => name.startsWith('clickhouse_'))).toHaveLength(6);
  });

  it('a pipe without settings gets none', async () => {
    const api = new PipeApi({ flavour: aliasedFlavour() });
    await api.apply({ id: pipeId, name: 'orders' });
    const answer = await api.sendTo('GET', api.path('/pipes').replace('/pipes', `/clickpipes/${pipeId}`));
    expect(api.unwrap(answer)).not.toHaveProperty('settings');
  });
});
