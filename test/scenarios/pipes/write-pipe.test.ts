import type { TSchema } from 'typebox';
import { describe, expect, it } from 'vitest';
import { PipeSchema } from '../../../src/contract/pipe.ts';
import { PipeInputSchema } from '../../../src/contract/pipe-input.ts';
import { otherServiceId, serviceId } from '../../../src/http/testing.ts';
import { fieldsOf, isSecret, itemOf } from '../../../src/resources/pipes/schema-walk.ts';
import { PipeApi } from './pipe-api.ts';
import { asWritten, goldenPipes, pipeId } from './pipe-fixtures.ts';

const pipe = (fields: object = {}) => ({ id: pipeId, name: 'orders', ...fields });

/** An object with one value at a dotted path. */
function nested(path: string, value: unknown): Record<string, unknown> {
  const [first = '', ...rest] = path.split('.');
  return { [first]: rest.length === 0 ? value : nested(rest.join('.'), value) };
}

const ranges: [path: string, minimum: number, maximum: number][] = [
  ['settings.streaming_max_insert_wait_ms', 500, 60_000],
  ['settings.object_storage_concurrency', 1, 35],
  ['settings.object_storage_polling_interval_ms', 100, 3_600_000],
  ['settings.object_storage_max_insert_bytes', 10_485_760, 53_687_091_200],
  ['settings.object_storage_max_file_count', 1, 10_000],
  ['settings.engine_max_threads', 0, 64],
  ['settings.engine_max_insert_threads', 0, 16],
  ['settings.engine_min_insert_block_size_bytes', 0, 10_737_418_240],
  ['settings.engine_max_download_threads', 0, 32],
  ['settings.engine_parallel_distributed_insert_select', 0, 2],
  ['source.postgres.port', 1, 65_535],
  ['source.postgres.settings.initialLoadParallelism', 1, Number.MAX_SAFE_INTEGER],
  ['source.postgres.settings.pullBatchSize', 1, Number.MAX_SAFE_INTEGER],
  ['source.postgres.settings.snapshotNumRowsPerPartition', 1000, Number.MAX_SAFE_INTEGER],
  ['source.postgres.settings.snapshotNumberOfParallelTables', 1, Number.MAX_SAFE_INTEGER],
  ['source.postgres.settings.syncIntervalSeconds', 1, Number.MAX_SAFE_INTEGER],
  ['source.kinesis.timestamp', 0, Number.MAX_SAFE_INTEGER],
];

describe('ranges', () => {
  it.each(ranges)('%s: %i to %i', async (path, minimum, maximum) => {
    const problemsOf = (value: number) => new PipeApi().problemsOf(pipe(nested(path, value)));
    expect(await problemsOf(minimum)).toEqual([]);
    expect(await problemsOf(maximum)).toEqual([]);
    expect(await problemsOf(minimum - 1)).toEqual([`${path}: must be at least ${minimum}`]);
    expect(await problemsOf(maximum + 1)).toEqual([`${path}: must be at most ${maximum}`]);
    expect(await problemsOf(minimum + 0.5)).toEqual([`${path}: must be an integer`]);
  });

  const small = { replicaCpuMillicores: [125, 2000], replicaMemoryGb: [0.5, 8] } as const;
  const large = { replicaCpuMillicores: [1000, 32_000], replicaMemoryGb: [4, 128] } as const;
  const scalings = [
    ['kafka', small],
    ['kinesis', small],
    ['objectStorage', small],
    ['postgres', large],
  ] as const;

  it.each(scalings)('decisions P1, per source kind: scaling of a %s source', async (kind, sizes) => {
    for (const [field, [minimum, maximum]] of Object.entries({ replicas: [1, 40], concurrency: [0, 34], ...sizes })) {
      const problemsOf = (value: number) =>
        new PipeApi().problemsOf(pipe({ source: { [kind]: {} }, scaling: { [field]: value } }));
      const rejection = [`scaling.${field}: must be ${minimum} to ${maximum} for a ${kind} source`];
      expect([await problemsOf(minimum), await problemsOf(maximum)]).toEqual([[], []]);
      expect([await problemsOf(minimum - 0.25), await problemsOf(maximum + 0.25)]).toEqual(
        field === 'replicaMemoryGb'
          ? [rejection, rejection]
          : [[`scaling.${field}: must be an integer`], [`scaling.${field}: must be an integer`]],
      );
      expect([await problemsOf(minimum - 1), await problemsOf(maximum + 1)]).toEqual([rejection, rejection]);
    }
  });

  it('a combination of sources, or none, may be scaled as any one of them', async () => {
    const api = new PipeApi();
    for (const source of [{ kafka: {}, postgres: {} }, undefined]) {
      const scaled = (scaling: object) => api.problemsOf(pipe({ ...(source && { source }), scaling }));
      expect(await scaled({ replicaCpuMillicores: 125, replicaMemoryGb: 0.5 })).toEqual([]);
      expect(await scaled({ replicaCpuMillicores: 32_000, replicaMemoryGb: 128 })).toEqual([]);
      expect(await scaled({ replicaCpuMillicores: 125, replicaMemoryGb: 128 })).not.toEqual([]);
    }
  });

  it('names have 1 to 255 characters', async () => {
    const api = new PipeApi();
    expect(await api.problemsOf(pipe({ name: 'x' }))).toEqual([]);
    expect(await api.problemsOf(pipe({ name: '😀'.repeat(255) }))).toEqual([]);
    expect(await api.problemsOf(pipe({ name: '' }))).toEqual(['name: must not be empty']);
    expect(await api.problemsOf(pipe({ name: 'x'.repeat(256) }))).toEqual(['name: must have at most 255 characters']);
  });
});

describe('what is rejected, with path and reason', () => {
  const refused: [title: string, fields: object, problem: string][] = [
    ['an id that is no UUID', { id: 'orders' }, 'id: must be a UUID'],
    [
      'an unknown setting',
      { settings: { engine_max_thread: 1 } },
      'settings.engine_max_thread: is not a known field; did you mean engine_max_threads?',
    ],
    ['a setting of other clients', { settings: { clickhouse_max_threads: 1 } }, 'did you mean engine_max_threads?'],
    [
      'an unknown field of a source',
      { source: { kafka: { broker: 'b' } } },
      'source.kafka.broker: is not a known field; did you mean brokers?',
    ],
    [
      'an unknown field in a list',
      { source: { postgres: { tableMappings: [{}, { sourcetable: 't' }] } } },
      'source.postgres.tableMappings.1.sourcetable: is not a known field; did you mean sourceTable?',
    ],
    ['an unknown field of the pipe', { setings: {} }, 'setings: is not a known field; did you mean settings?'],
    ['a key of every object', JSON.parse('{"__proto__": {"name": "x"}}'), '__proto__: is not a known field'],
    ['a source of no kind', { source: {} }, 'source: must have one or more of kafka, kinesis, objectStorage, postgres'],
    ['a source that the seed does not have', { source: { mysql: {} } }, 'source.mysql: is not a known field'],
    ['null', { settings: null }, 'settings: must be an object'],
    [
      'null in place of a list (U-95)',
      { source: { kafka: { reversePrivateEndpointIds: null } } },
      'source.kafka.reversePrivateEndpointIds: must be an array',
    ],
    ['a number as text', { scaling: { replicas: '2' } }, 'scaling.replicas: must be an integer'],
    [
      'a kinesis timestamp as text',
      { source: { kinesis: { timestamp: '1' } } },
      'source.kinesis.timestamp: must be an integer',
    ],
    ['half a column', { destination: { columns: [{ name: 'id' }] } }, 'destination.columns.0.type: is required'],
    ['half a mapping', { fieldMappings: [{ sourceField: 'a' }] }, 'fieldMappings.0.destinationField: is required'],
    [
      'an unknown format',
      { source: { kafka: { format: 'XML' } } },
      'source.kafka.format: must be one of JSONEachRow, ',
    ],
    [
      'from_timestamp without timestamp',
      { source: { kafka: { offset: { strategy: 'from_timestamp' } } } },
      'source.kafka.offset.timestamp: is required',
    ],
    [
      'AT_TIMESTAMP without timestamp',
      { source: { kinesis: { iteratorType: 'AT_TIMESTAMP' } } },
      'source.kinesis.timestamp: is required',
    ],
    [
      'a text without end',
      { source: { kafka: { topics: 'x'.repeat(8193) } } },
      'source.kafka.topics: must have at most 8192 characters',
    ],
    [
      'a list without end',
      { destination: { roles: Array(5001).fill('r') } },
      'destination.roles: must have at most 5000 items',
    ],
    ['a blank state', { state: '' }, 'state: must not be empty'],
    [
      'the service of another path',
      { serviceId: otherServiceId },
      'serviceId: must be the service that the pipe belongs to',
    ],
  ];

  it.each(refused)('%s', async (_, fields, problem) => {
    const api = new PipeApi();
    expect((await api.problemsOf(pipe(fields))).join('; ')).toContain(problem);
    expect(await api.pipes.list(serviceId)).toEqual([]);
  });

  it.each([
    '2026-01-31',
    '2026-01-31T23:59:00',
    '2026-01-31T23:59Z',
    '2026-02-30T00:00',
    '2026-01-31T24:00',
    'now',
    '',
  ])('seed: an offset is a date-time without seconds, which %j is not', async (timestamp) => {
    expect(await new PipeApi().problemsOf(pipe({ source: { kafka: { offset: { timestamp } } } }))).toEqual([
      'source.kafka.offset.timestamp: must be a date and time like 2026-01-31T12:00 (UTC)',
    ]);
  });

  it('an id that another service uses', async () => {
    const api = new PipeApi();
    await api.apply(pipe(), otherServiceId);
    expect(await api.problemsOf(pipe())).toEqual(['id: another service has a pipe with this id']);
  });

  it('an invalid entry leaves the stored pipe as it was', async () => {
    const api = new PipeApi();
    const before = await api.shown(pipe({ state: 'Running' }));
    expect(await api.problemsOf(pipe({ state: 'Stopped', scaling: { replicas: 0 } }))).not.toEqual([]);
    expect(api.unwrap(await api.send('GET', `/pipes/${pipeId}`))).toEqual(before);
  });
});

describe('what is accepted', () => {
  it('decisions P1: every field that may be written comes back, but for secrets and the roles of a destination', () => {
    const writable = fieldPaths(PipeInputSchema);
    const readable = new Set(fieldPaths(PipeSchema));
    expect(writable.filter((path) => !readable.has(path))).toEqual(['destination.roles']);
  });

  it('decisions P1: combinations of authentication fields are stored as given', async () => {
    const objectStorage = { iamRole: 'arn:role', connectionString: 'AccountKey=x', accessKey: { secretKey: 'y' } };
    const shown = await new PipeApi().shown(pipe({ source: { objectStorage } }));
    expect(shown.source).toEqual({ objectStorage: { iamRole: 'arn:role', connectionString: '********' } });
  });
});

describe('writing again', () => {
  it('ids and createdAt stay; updatedAt moves only when something changed', async () => {
    const api = new PipeApi();
    const first = await api.shown(asWritten(goldenPipes.kafka));
    await api.time.advance(60_000);
    expect((await api.apply(asWritten(goldenPipes.kafka))).kind).toBe('unchanged');
    expect(await api.shown(asWritten(goldenPipes.kafka))).toEqual(first);
    const second = await api.shown(asWritten({ ...goldenPipes.kafka, state: 'Stopped' }));
    expect(second).toMatchObject({ id: first.id, createdAt: first.createdAt, state: 'Stopped' });
    expect(Date.parse(String(second.updatedAt)) - Date.parse(String(first.updatedAt))).toBe(60_000);
  });

  it('what is left out is gone', async () => {
    const api = new PipeApi();
    await api.shown(asWritten(goldenPipes.objectStorage));
    const shown = await api.shown(pipe({ source: { objectStorage: { path: 'orders' } } }));
    expect(shown.source).toEqual({ objectStorage: { path: 'orders' } });
    expect((await api.pipes.find(serviceId, pipeId))?.sealedSecrets).toBeUndefined();
  });

  it('an answer can be written back; only a masked secret has to be given or left out', async () => {
    const api = new PipeApi();
    const { kafka, objectStorage } = goldenPipes;
    const answer = await api.shown(pipe(kafka));
    expect((await api.apply(answer)).kind).toBe('unchanged');
    const masked = await api.shown(asWritten(objectStorage));
    expect(await api.problemsOf(masked)).toEqual([
      'source.objectStorage.connectionString: is the mask shown in responses; send the secret itself or omit it',
    ]);
  });
});

/** Every field of a schema by its dotted path; secrets and what is in them left out. */
function fieldPaths(schema: TSchema, path = ''): string[] {
  return Object.entries(fieldsOf(itemOf(schema) ?? schema)).flatMap(([name, field]) => {
    const here = path === '' ? name : `${path}.${name}`;
    return isSecret(field) ? [] : [here, ...fieldPaths(field, here)];
  });
}
