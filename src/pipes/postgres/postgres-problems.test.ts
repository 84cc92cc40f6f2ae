import { expect, it } from 'vitest';
import type { PipeInput } from '../../contract/pipe-input.ts';
import { postgresProblems } from './postgres-problems.ts';

type Postgres = NonNullable<NonNullable<PipeInput['source']>['postgres']>;

const source: Postgres = {
  host: 'db.example.com',
  database: 'shop',
  credentials: { username: 'pipes', password: 'secret' },
  tableMappings: [{ sourceTable: 'orders' }],
};

const pathsOf = (change: Partial<PipeInput>, postgres: Postgres = source) =>
  postgresProblems({ id: '11111111-2222-4333-8444-555555555555', name: 'p', ...change, source: { postgres } }).map(
    ({ path }) => path,
  );

it('a source with what is required has no problems', () => {
  expect(
    pathsOf({ destination: { database: 'default', managedTable: true, columns: [] }, scaling: { replicas: 1 } }),
  ).toEqual([]);
});

it.each<[string, Partial<Postgres>]>([
  ['host', { host: '' }],
  ['database', { database: '' }],
  ['credentials', { credentials: { username: 'pipes' } }],
  ['authentication', { authentication: 'IAM_ROLE' }],
  ['iamRole', { iamRole: 'arn:aws:iam::1:role/x' }],
  ['disableTls', { disableTls: true, tlsHost: 'x' }],
  ['tableMappings', { tableMappings: [] }],
  ['tableMappings.0.sourceTable', { tableMappings: [{}] }],
  ['tableMappings.0.partitionKey', { tableMappings: [{ sourceTable: 'a', partitionKey: 'id' }] }],
  ['tableMappings.0.sortingKeys', { tableMappings: [{ sourceTable: 'a', useCustomSortingKey: true }] }],
  [
    'tableMappings.0.useCustomSortingKey',
    { tableMappings: [{ sourceTable: 'a', useCustomSortingKey: false, sortingKeys: ['id'] }] },
  ],
  [
    'tableMappings.0.excludedColumns',
    { tableMappings: [{ sourceTable: 'a', sortingKeys: ['id'], excludedColumns: ['id'] }] },
  ],
  ['tableMappings.0.tableEngine', { tableMappings: [{ sourceTable: 'a', tableEngine: 'MergeTree' }] }],
  ['tableMappings.1', { tableMappings: [{ sourceTable: 'a' }, { sourceTable: 'a', targetTable: 'b' }] }],
  ['tableMappings.1.targetTable', { tableMappings: [{ sourceTable: 'a' }, { sourceTable: 'b', targetTable: 'a' }] }],
  ['settings.publicationName', { settings: { replicationSlotName: 'mine' } }],
  ['settings.replicationSlotName', { settings: { replicationSlotName: 'Mine!', publicationName: 'p' } }],
  ['settings.replicationMode', { settings: { replicationMode: 'snapshot', publicationName: 'p' } }],
  [
    'settings.enableFailoverSlots',
    { settings: { replicationSlotName: 'a', publicationName: 'p', enableFailoverSlots: true } },
  ],
])('source.postgres.%s', (path, change) => {
  expect(pathsOf({}, { ...source, ...change })).toEqual([`source.postgres.${path}`]);
});

it.each<[string, Partial<PipeInput>]>([
  ['destination.table', { destination: { table: 'orders' } }],
  ['destination.columns', { destination: { columns: [{ name: 'a', type: 'String' }] } }],
  ['fieldMappings', { fieldMappings: [{ sourceField: 'a', destinationField: 'b' }] }],
  ['settings.object_storage_concurrency', { settings: { object_storage_concurrency: 2 } }],
  ['settings.streaming_max_insert_wait_ms', { settings: { streaming_max_insert_wait_ms: 500 } }],
  ['scaling.replicas', { scaling: { replicas: 2 } }],
])('%s does not apply', (path, change) => {
  expect(pathsOf(change)).toEqual([path]);
});
