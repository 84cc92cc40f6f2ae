import { type Static, type TSchema, Type } from 'typebox';
import { UuidSchema } from './identifiers.ts';
import {
  KafkaSchema,
  KinesisSchema,
  ObjectStorageSchema,
  PipeDestinationSchema,
  PipeSchemaRegistrySchema,
  PipeTableDefinitionSchema,
  PostgresSchema,
  PostgresSettingsSchema,
  PostgresTableMappingSchema,
  secretKeyword,
} from './pipe.ts';

/** Limits of a pipe as it is written; those of the seed's text fields leave room for any real value. */
export const pipeLimits = {
  nameLength: 255,
  stateLength: 64,
  textLength: 8192,
  certificateLength: 65_536,
  items: 5000,
};

const workloadIdentity = 'SERVICE_ACCOUNT_WORKLOAD_IDENTITY';
const closed = { additionalProperties: false } as const;
const string = Type.String({ maxLength: pipeLimits.textLength });
const text = Type.Optional(string);
const certificate = Type.Optional(Type.String({ maxLength: pipeLimits.certificateLength }));
const flag = Type.Optional(Type.Boolean());
const texts = listOf(string);
const secret = { [secretKeyword]: true } as const;
const secretString = Type.String({ maxLength: pipeLimits.certificateLength });
const secretText = Type.Optional(Type.String({ maxLength: pipeLimits.certificateLength, ...secret }));
/** User and password, key pair, connection string, certificate and key: whatever the authentication needs. */
const secretTexts = Type.Optional(Type.Record(Type.String(), secretString, { maxProperties: 20, ...secret }));
/** A key file, as text or as the JSON object that it holds. */
const secretKey = Type.Optional(Type.Union([secretString, Type.Record(Type.String(), secretString)], secret));

function listOf<Item extends TSchema>(item: Item) {
  return Type.Optional(Type.Array(item, { maxItems: pipeLimits.items }));
}

function oneOf<const Values extends readonly [string, ...string[]]>(...values: Values) {
  return Type.Optional(Type.Enum(values));
}

/** Integers beyond what JSON readers keep exactly are rejected rather than rounded. */
function range(minimum: number, maximum: number = Number.MAX_SAFE_INTEGER) {
  return Type.Optional(Type.Integer({ minimum, maximum }));
}

const whole = range(Number.MIN_SAFE_INTEGER);

const DestinationInput = Type.Object(
  {
    ...PipeDestinationSchema.properties,
    database: text,
    table: text,
    columns: listOf(Type.Object({ name: string, type: string }, closed)),
    tableDefinition: Type.Optional(
      Type.Object(
        {
          ...PipeTableDefinitionSchema.properties,
          engine: Type.Optional(
            Type.Object(
              {
                type: oneOf('MergeTree', 'ReplacingMergeTree', 'SummingMergeTree', 'Null'),
                columnIds: texts,
                versionColumnId: text,
              },
              closed,
            ),
          ),
          partitionBy: text,
          primaryKey: text,
          sortingKey: texts,
          ttl: text,
        },
        closed,
      ),
    ),
    roles: texts,
  },
  closed,
);

/** Ranges of scaling depend on the source and are validated with it (decisions P1). */
export const PipeScalingInputSchema = Type.Object(
  {
    concurrency: whole,
    replicas: whole,
    replicaCpuMillicores: whole,
    replicaMemoryGb: Type.Optional(Type.Number()),
  },
  { title: 'PipeScalingInput', ...closed },
);

export const PipeSettingsInputSchema = Type.Object(
  {
    streaming_max_insert_wait_ms: range(500, 60_000),
    object_storage_concurrency: range(1, 35),
    object_storage_polling_interval_ms: range(100, 3_600_000),
    object_storage_max_insert_bytes: range(10_485_760, 53_687_091_200),
    object_storage_max_file_count: range(1, 10_000),
    object_storage_use_cluster_function: flag,
    kafka_read_committed: flag,
    engine_max_threads: range(0, 64),
    engine_max_insert_threads: range(0, 16),
    engine_min_insert_block_size_bytes: range(0, 10_737_418_240),
    engine_max_download_threads: range(0, 32),
    engine_parallel_distributed_insert_select: range(0, 2),
    engine_parallel_view_processing: flag,
  },
  { title: 'PipeSettingsInput', ...closed },
);

const SchemaRegistryInput = Type.Object(
  {
    ...PipeSchemaRegistrySchema.properties,
    authentication: text,
    caCertificate: certificate,
    url: text,
    credentials: secretTexts,
  },
  closed,
);

const KafkaInput = Type.Object(
  {
    ...KafkaSchema.properties,
    brokers: text,
    topics: text,
    consumerGroup: text,
    iamRole: text,
    caCertificate: certificate,
    offset: Type.Optional(
      Type.Object({ strategy: oneOf('from_beginning', 'from_latest', 'from_timestamp'), timestamp: text }, closed),
    ),
    reversePrivateEndpointIds: texts,
    schemaRegistry: Type.Optional(SchemaRegistryInput),
    type: oneOf('kafka', 'redpanda', 'msk', 'gcmk', 'confluent', 'warpstream', 'azureeventhub', 'dokafka'),
    format: oneOf('JSONEachRow', 'Avro', 'AvroConfluent', 'Protobuf'),
    authentication: oneOf(
      'PLAIN',
      'SCRAM-SHA-256',
      'SCRAM-SHA-512',
      'IAM_ROLE',
      'IAM_USER',
      'MUTUAL_TLS',
      workloadIdentity,
    ),
    exactlyOnce: flag,
    tombstoneMode: oneOf('delete', 'soft_delete'),
    credentials: secretTexts,
  },
  closed,
);

const KinesisInput = Type.Object(
  {
    ...KinesisSchema.properties,
    iamRole: text,
    region: text,
    streamName: text,
    timestamp: range(0),
    format: oneOf('JSONEachRow', 'Avro', 'AvroConfluent', 'Protobuf'),
    iteratorType: oneOf('TRIM_HORIZON', 'LATEST', 'AT_TIMESTAMP'),
    authentication: oneOf('IAM_ROLE', 'IAM_USER'),
    schemaRegistry: Type.Optional(SchemaRegistryInput),
    accessKey: secretTexts,
    credentials: secretTexts,
  },
  closed,
);

const ObjectStorageInput = Type.Object(
  {
    ...ObjectStorageSchema.properties,
    url: text,
    path: text,
    azureContainerName: text,
    connectionString: secretText,
    iamRole: text,
    compression: text,
    delimiter: text,
    queueUrl: text,
    type: oneOf('s3', 'gcs', 'dospaces', 'azureblobstorage', 'cloudflarer2', 'ovhobjectstorage'),
    format: oneOf(
      'JSONEachRow',
      'JSONAsObject',
      'CSV',
      'CSVWithNames',
      'TabSeparated',
      'TabSeparatedWithNames',
      'Parquet',
      'Avro',
    ),
    authentication: oneOf('IAM_ROLE', 'IAM_USER', 'CONNECTION_STRING', 'SERVICE_ACCOUNT', workloadIdentity),
    skipInitialLoad: flag,
    startAfter: text,
    accessKey: secretTexts,
    credentials: secretTexts,
    serviceAccountKey: secretKey,
  },
  closed,
);

const PostgresSettingsInput = Type.Object(
  {
    ...PostgresSettingsSchema.properties,
    initialLoadParallelism: range(1),
    publicationName: text,
    pullBatchSize: range(1),
    replicationSlotName: text,
    snapshotNumRowsPerPartition: range(1000),
    snapshotNumberOfParallelTables: range(1),
    syncIntervalSeconds: range(1),
    replicationMode: oneOf('cdc', 'snapshot', 'cdc_only'),
    deleteOnMerge: flag,
  },
  closed,
);

const PostgresInput = Type.Object(
  {
    ...PostgresSchema.properties,
    host: text,
    port: range(1, 65_535),
    database: text,
    settings: Type.Optional(PostgresSettingsInput),
    tableMappings: listOf(
      Type.Object(
        {
          ...PostgresTableMappingSchema.properties,
          sourceSchemaName: text,
          sourceTable: text,
          targetTable: text,
          excludedColumns: texts,
          sortingKeys: texts,
          tableEngine: oneOf('MergeTree', 'ReplacingMergeTree', 'Null'),
          partitionKey: text,
          partitionByExpr: text,
        },
        closed,
      ),
    ),
    type: oneOf(
      'postgres',
      'supabase',
      'neon',
      'alloydb',
      'planetscale',
      'rdspostgres',
      'aurorapostgres',
      'cloudsqlpostgres',
      'azurepostgres',
      'crunchybridge',
      'tigerdata',
    ),
    authentication: oneOf('basic', 'IAM_ROLE', workloadIdentity),
    iamRole: text,
    tlsHost: text,
    caCertificate: certificate,
    disableTls: flag,
    skipCertVerification: flag,
    credentials: secretTexts,
  },
  closed,
);

const SourceInput = Type.Object(
  {
    kafka: Type.Optional(KafkaInput),
    kinesis: Type.Optional(KinesisInput),
    objectStorage: Type.Optional(ObjectStorageInput),
    postgres: Type.Optional(PostgresInput),
  },
  closed,
);

/**
 * A pipe as written (interface: provisioning file): the seed's fields with their ranges, what else describes a
 * source, and its secrets. Fields that the service assigns are accepted too, so that a response can be written back.
 */
export const PipeInputSchema = Type.Object(
  {
    id: UuidSchema,
    serviceId: Type.Optional(UuidSchema),
    createdAt: text,
    updatedAt: text,
    name: Type.String({ minLength: 1, maxLength: pipeLimits.nameLength }),
    state: Type.Optional(Type.String({ minLength: 1, maxLength: pipeLimits.stateLength })),
    destination: Type.Optional(DestinationInput),
    fieldMappings: listOf(Type.Object({ sourceField: string, destinationField: string }, closed)),
    scaling: Type.Optional(PipeScalingInputSchema),
    settings: Type.Optional(PipeSettingsInputSchema),
    source: Type.Optional(SourceInput),
  },
  { title: 'PipeInput', ...closed },
);
export type PipeInput = Static<typeof PipeInputSchema>;

const {
  id: _id,
  serviceId: _serviceId,
  createdAt: _created,
  updatedAt: _updated,
  state: _state,
  ...own
} = PipeInputSchema.properties;
const sourceOfRequest = Type.Object(
  {
    ...SourceInput.properties,
    validateSamples: Type.Optional(Type.Boolean({ description: 'Connect to the source before anything is stored.' })),
  },
  { title: 'PipeSourceInput', ...closed },
);

/** A pipe as clients create it; what the service assigns is ignored, so that a response can be sent back. */
export const NewPipeSchema = Type.Object(
  {
    ...own,
    source: Type.Optional(sourceOfRequest),
    startPaused: Type.Optional(
      Type.Boolean({ description: 'Begin as Stopped instead of running; not for databases.' }),
    ),
  },
  { title: 'NewPipe', ...closed },
);

/** Fields to change: objects are merged with what is stored, null removes. */
export const PipePatchSchema = Type.Object(
  { ...own, name: Type.Optional(own.name), source: Type.Optional(sourceOfRequest) },
  { title: 'PipePatch', ...closed },
);
