/** Pipes with every field of the seed's tables, values of the documented types. */
export const pipeId = '7a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d';

/** Beside the seed's fields: what clients of today write, and read back (decisions P1). */
const extras = {
  kafka: {
    type: 'msk',
    format: 'Avro',
    authentication: 'SCRAM-SHA-512',
    exactlyOnce: true,
    tombstoneMode: 'soft_delete',
  },
  kinesis: {
    format: 'JSONEachRow',
    iteratorType: 'AT_TIMESTAMP',
    authentication: 'IAM_USER',
    schemaRegistry: { url: 'https://registry.example.com' },
  },
  objectStorage: {
    type: 'azureblobstorage',
    format: 'CSV',
    authentication: 'CONNECTION_STRING',
    skipInitialLoad: true,
    startAfter: 'orders/2026',
  },
  postgres: {
    type: 'rdspostgres',
    authentication: 'basic',
    iamRole: 'arn:aws:iam::123456789012:role/postgres',
    tlsHost: 'db.example.com',
    caCertificate: 'PEM',
    disableTls: false,
    skipCertVerification: true,
  },
};

export const kafka = {
  brokers: 'broker-1.example.com:9092,broker-2.example.com:9092',
  topics: 'orders',
  consumerGroup: 'orders-readers',
  iamRole: 'arn:aws:iam::123456789012:role/kafka',
  caCertificate: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
  offset: { strategy: 'from_timestamp', timestamp: '2026-01-31T23:59' },
  reversePrivateEndpointIds: ['rpe-2', 'rpe-1'],
  schemaRegistry: { authentication: 'PLAIN', caCertificate: 'PEM', url: 'https://registry.example.com' },
  ...extras.kafka,
};

export const kinesis = {
  iamRole: 'arn:aws:iam::123456789012:role/kinesis',
  region: 'eu-central-1',
  streamName: 'orders',
  timestamp: 4_102_444_800,
  useEnhancedFanOut: true,
  ...extras.kinesis,
};

export const objectStorage = {
  url: 'https://bucket.s3.eu-central-1.amazonaws.com/orders/*.json',
  path: 'orders/**/*.json',
  azureContainerName: 'orders',
  connectionString: '********',
  iamRole: 'arn:aws:iam::123456789012:role/objects',
  compression: 'auto',
  delimiter: '\t',
  isContinuous: false,
  queueUrl: 'https://sqs.eu-central-1.amazonaws.com/123456789012/orders',
  ...extras.objectStorage,
};

export const postgres = {
  host: 'db.example.com',
  port: 5432,
  database: 'shop',
  settings: {
    allowNullableColumns: true,
    enableFailoverSlots: false,
    initialLoadParallelism: 4,
    publicationName: 'orders_publication',
    pullBatchSize: 100_000,
    replicationSlotName: 'orders_slot',
    snapshotNumRowsPerPartition: 5_000_000_000,
    snapshotNumberOfParallelTables: 1,
    syncIntervalSeconds: 60,
    replicationMode: 'cdc',
    deleteOnMerge: true,
  },
  tableMappings: [
    {
      sourceSchemaName: 'public',
      sourceTable: 'orders',
      targetTable: 'public_orders',
      excludedColumns: ['note', 'address'],
      sortingKeys: ['id', 'created_at'],
      useCustomSortingKey: true,
      tableEngine: 'ReplacingMergeTree',
      partitionKey: 'id',
      partitionByExpr: 'toYYYYMM(created_at)',
    },
    { sourceSchemaName: 'public', sourceTable: 'items', targetTable: 'public_items' },
  ],
  ...extras.postgres,
};

/** What a pipe has whatever it reads from. */
export const described = {
  name: 'orders',
  state: 'Running',
  destination: {
    database: 'default',
    table: 'orders',
    managedTable: true,
    columns: [
      { name: 'id', type: 'UInt64' },
      { name: 'amount', type: 'Decimal(18, 2)' },
    ],
    tableDefinition: {
      engine: { type: 'ReplacingMergeTree', columnIds: ['amount', 'id'], versionColumnId: 'version' },
      partitionBy: 'toYYYYMM(created_at)',
      primaryKey: 'id',
      sortingKey: ['id', 'created_at'],
      ttl: 'created_at + INTERVAL 1 YEAR',
    },
  },
  fieldMappings: [
    { sourceField: 'order_id', destinationField: 'id' },
    { sourceField: 'order_amount', destinationField: 'amount' },
  ],
  settings: {
    engine_max_download_threads: 4,
    engine_max_insert_threads: 1,
    engine_max_threads: 8,
    engine_min_insert_block_size_bytes: 10_737_418_240,
    engine_parallel_distributed_insert_select: 2,
    engine_parallel_view_processing: true,
    kafka_read_committed: true,
    object_storage_concurrency: 1,
    object_storage_max_file_count: 100,
    object_storage_max_insert_bytes: 53_687_091_200,
    object_storage_polling_interval_ms: 30_000,
    object_storage_use_cluster_function: false,
    streaming_max_insert_wait_ms: 5000,
  },
};

export const smallScaling = { concurrency: 1, replicas: 2, replicaCpuMillicores: 250, replicaMemoryGb: 0.5 };
export const databaseScaling = { replicaCpuMillicores: 2000, replicaMemoryGb: 8 };

/** One pipe per source kind, and a combination; each as `result` shows it, without what the service assigns. */
export const goldenPipes = {
  kafka: { ...described, scaling: smallScaling, source: { kafka } },
  kinesis: { ...described, scaling: smallScaling, source: { kinesis } },
  objectStorage: { ...described, scaling: smallScaling, source: { objectStorage } },
  postgres: { ...described, scaling: databaseScaling, source: { postgres } },
  everything: { ...described, scaling: smallScaling, source: { kafka, kinesis, objectStorage, postgres } },
};

/** Every secret of a pipe (decisions P2) with a value that can be looked for. */
export const plantedSecrets = {
  kafka: { credentials: { username: 'planted-user-1', password: 'planted-password-1' } },
  schemaRegistry: { credentials: { username: 'planted-user-2', password: 'planted-password-2' } },
  kinesis: {
    accessKey: { accessKeyId: 'planted-key-id-3', secretKey: 'planted-key-3' },
    credentials: { password: 'planted-password-3' },
  },
  objectStorage: {
    connectionString: 'DefaultEndpointsProtocol=https;AccountKey=planted-account-key-4',
    accessKey: { accessKeyId: 'planted-key-id-5', secretKey: 'planted-key-5' },
    credentials: { password: 'planted-password-5' },
    serviceAccountKey: 'planted-service-account-6',
  },
  postgres: { credentials: { username: 'planted-user-7', password: 'planted-password-7' } },
};

type Source = Partial<Record<'kafka' | 'kinesis' | 'objectStorage' | 'postgres', object>>;

/** The pipe as it would be written: with all secrets of its sources. */
export function asWritten<P extends { source?: Source }>(pipe: P, id = pipeId): P & { id: string } {
  const { source = {} } = pipe;
  const sources = Object.entries(source).map(([kind, given]) => [kind, withSecrets(kind as keyof Source, given)]);
  return { id, ...pipe, ...(pipe.source && { source: Object.fromEntries(sources) }) };
}

function withSecrets(kind: keyof Source, given: object): object {
  const full = { ...given, ...plantedSecrets[kind] };
  if (!('schemaRegistry' in full)) return full;
  return { ...full, schemaRegistry: { ...(full.schemaRegistry as object), ...plantedSecrets.schemaRegistry } };
}
