import { type Static, Type } from 'typebox';
import { TimestampSchema, UuidSchema } from './identifiers.ts';

/** JSON Schema keyword of fields whose value never leaves the service (decisions P2). */
export const secretKeyword = 'x-secret';
/** Replaces a configured secret: reveals neither length nor prefix. */
export const secretMask = '********';

const text = Type.Optional(Type.String());
const integer = Type.Optional(Type.Integer());
const flag = Type.Optional(Type.Boolean());
const texts = Type.Optional(Type.Array(Type.String()));
const exact = { additionalProperties: false } as const;

export const PipeTableDefinitionSchema = Type.Object(
  {
    engine: Type.Optional(
      Type.Object({ type: text, columnIds: texts, versionColumnId: text }, { title: 'PipeTableEngine', ...exact }),
    ),
    partitionBy: text,
    primaryKey: text,
    sortingKey: texts,
    ttl: text,
  },
  { title: 'PipeTableDefinition', ...exact },
);

export const PipeDestinationSchema = Type.Object(
  {
    database: text,
    table: text,
    managedTable: flag,
    columns: Type.Optional(
      Type.Array(Type.Object({ name: Type.String(), type: Type.String() }, { title: 'PipeColumn', ...exact })),
    ),
    tableDefinition: Type.Optional(PipeTableDefinitionSchema),
  },
  { title: 'PipeDestination', ...exact },
);

const PipeFieldMappingSchema = Type.Object(
  { sourceField: Type.String(), destinationField: Type.String() },
  { title: 'PipeFieldMapping', ...exact },
);

const PipeScalingSchema = Type.Object(
  {
    concurrency: integer,
    replicas: integer,
    replicaCpuMillicores: Type.Optional(Type.Integer({ description: 'CPU in millicores.' })),
    replicaMemoryGb: Type.Optional(Type.Number({ description: 'Memory in gigabytes, may be fractional.' })),
  },
  { title: 'PipeScaling', ...exact },
);

export const PipeSettingsSchema = Type.Object(
  {
    engine_max_download_threads: integer,
    engine_max_insert_threads: integer,
    engine_max_threads: integer,
    engine_min_insert_block_size_bytes: integer,
    engine_parallel_distributed_insert_select: integer,
    engine_parallel_view_processing: flag,
    kafka_read_committed: flag,
    object_storage_concurrency: integer,
    object_storage_max_file_count: integer,
    object_storage_max_insert_bytes: integer,
    object_storage_polling_interval_ms: integer,
    object_storage_use_cluster_function: flag,
    streaming_max_insert_wait_ms: integer,
  },
  { title: 'PipeSettings', ...exact },
);

export const PipeSchemaRegistrySchema = Type.Object(
  { authentication: text, caCertificate: text, url: text },
  { title: 'PipeSchemaRegistry', ...exact },
);

export const KafkaSchema = Type.Object(
  {
    brokers: text,
    topics: text,
    consumerGroup: text,
    iamRole: text,
    caCertificate: text,
    offset: Type.Optional(
      Type.Object(
        { strategy: text, timestamp: Type.Optional(Type.String({ description: 'YYYY-MM-DDThh:mm, UTC.' })) },
        { title: 'PipeOffset', ...exact },
      ),
    ),
    reversePrivateEndpointIds: texts,
    schemaRegistry: Type.Optional(PipeSchemaRegistrySchema),
    type: text,
    format: text,
    authentication: text,
    exactlyOnce: flag,
    tombstoneMode: text,
  },
  { title: 'KafkaPipeSource', ...exact },
);

export const KinesisSchema = Type.Object(
  {
    iamRole: text,
    region: text,
    streamName: text,
    timestamp: Type.Optional(Type.Integer({ description: 'Unix time in seconds.' })),
    useEnhancedFanOut: flag,
    format: text,
    iteratorType: text,
    authentication: text,
    schemaRegistry: Type.Optional(PipeSchemaRegistrySchema),
  },
  { title: 'KinesisPipeSource', ...exact },
);

export const ObjectStorageSchema = Type.Object(
  {
    url: text,
    path: text,
    azureContainerName: text,
    connectionString: Type.Optional(
      Type.String({ description: 'A fixed mask if one is configured.', [secretKeyword]: true }),
    ),
    iamRole: text,
    compression: text,
    delimiter: text,
    isContinuous: flag,
    queueUrl: text,
    type: text,
    format: text,
    authentication: text,
    skipInitialLoad: flag,
    startAfter: text,
  },
  { title: 'ObjectStoragePipeSource', ...exact },
);

export const PostgresSettingsSchema = Type.Object(
  {
    allowNullableColumns: flag,
    enableFailoverSlots: flag,
    initialLoadParallelism: integer,
    publicationName: text,
    pullBatchSize: integer,
    replicationSlotName: text,
    snapshotNumRowsPerPartition: integer,
    snapshotNumberOfParallelTables: integer,
    syncIntervalSeconds: integer,
    replicationMode: text,
    deleteOnMerge: flag,
  },
  { title: 'PostgresPipeSettings', ...exact },
);

export const PostgresTableMappingSchema = Type.Object(
  {
    sourceSchemaName: text,
    sourceTable: text,
    targetTable: text,
    excludedColumns: texts,
    sortingKeys: texts,
    useCustomSortingKey: flag,
    tableEngine: text,
    partitionKey: text,
    partitionByExpr: text,
  },
  { title: 'PostgresTableMapping', ...exact },
);

export const PostgresSchema = Type.Object(
  {
    host: text,
    port: integer,
    database: text,
    settings: Type.Optional(PostgresSettingsSchema),
    tableMappings: Type.Optional(Type.Array(PostgresTableMappingSchema)),
    type: text,
    authentication: text,
    iamRole: text,
    tlsHost: text,
    caCertificate: text,
    disableTls: flag,
    skipCertVerification: flag,
  },
  { title: 'PostgresPipeSource', ...exact },
);

/** Holds one or more of these keys (seed §Pipe); exactly those that apply are present. */
const PipeSourceSchema = Type.Object(
  {
    kafka: Type.Optional(KafkaSchema),
    kinesis: Type.Optional(KinesisSchema),
    objectStorage: Type.Optional(ObjectStorageSchema),
    postgres: Type.Optional(PostgresSchema),
  },
  { title: 'PipeSource', ...exact },
);

/** Known states (decisions P3); the wire type stays an open string. */
export const pipeStates = [
  'Unknown',
  'Provisioning',
  'Setup',
  'Snapshot',
  'Running',
  'Stopping',
  'Stopped',
  'Pausing',
  'Paused',
  'Modifying',
  'Resync',
  'Degraded',
  'Completed',
  'Failed',
  'InternalError',
] as const;

/** seed §Pipe, field for field, and beside these what clients of today write and read (decisions P1). */
export const PipeSchema = Type.Object(
  {
    id: UuidSchema,
    serviceId: UuidSchema,
    name: Type.String(),
    state: Type.String({ description: `Current state; an open list. Known: ${pipeStates.join(', ')}.` }),
    createdAt: TimestampSchema,
    updatedAt: TimestampSchema,
    destination: Type.Optional(PipeDestinationSchema),
    fieldMappings: Type.Optional(Type.Array(PipeFieldMappingSchema)),
    scaling: Type.Optional(PipeScalingSchema),
    settings: Type.Optional(PipeSettingsSchema),
    source: Type.Optional(PipeSourceSchema),
  },
  { title: 'Pipe', ...exact },
);
export type Pipe = Static<typeof PipeSchema>;
