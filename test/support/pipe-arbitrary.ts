import fc from 'fast-check';

/** Any fields may be absent; those that are present come in any order. */
function some<T extends Record<string, fc.Arbitrary<unknown>>>(fields: T): fc.Arbitrary<Record<string, unknown>> {
  return fc
    .tuple(fc.record(fields, { requiredKeys: [] }), fc.infiniteStream(fc.nat()))
    .map(([value, weights]) => shuffled(value, weights));
}

function shuffled(value: object, weights: Iterator<number>): Record<string, unknown> {
  const weighed = Object.entries(value).map((entry) => ({ entry, weight: Number(weights.next().value) }));
  return Object.fromEntries(weighed.sort((left, right) => left.weight - right.weight).map(({ entry }) => entry));
}

const text = fc.string({ maxLength: 30, unit: 'binary' });
const texts = fc.array(text, { maxLength: 4 });
const flag = fc.boolean();
const safe = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  fc.maxSafeInteger().map((n) => min + (Math.abs(n) % (max - min + 1)));

const destination = some({
  database: text,
  table: text,
  managedTable: flag,
  columns: fc.array(fc.record({ name: text, type: text }), { maxLength: 5 }),
  tableDefinition: some({
    engine: some({ type: fc.constantFrom('MergeTree', 'SummingMergeTree'), columnIds: texts, versionColumnId: text }),
    partitionBy: text,
    primaryKey: text,
    sortingKey: texts,
    ttl: text,
  }),
});

const settings = some({
  engine_max_download_threads: safe(0, 32),
  engine_max_insert_threads: safe(0, 16),
  engine_max_threads: safe(0, 64),
  engine_min_insert_block_size_bytes: safe(0, 10_737_418_240),
  engine_parallel_distributed_insert_select: safe(0, 2),
  engine_parallel_view_processing: flag,
  object_storage_concurrency: safe(1, 35),
  object_storage_max_file_count: safe(1, 10_000),
  object_storage_max_insert_bytes: safe(10_485_760, 53_687_091_200),
  object_storage_polling_interval_ms: safe(100, 3_600_000),
  object_storage_use_cluster_function: flag,
  streaming_max_insert_wait_ms: safe(500, 60_000),
});

const minute = fc
  .date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 16));

const sources = {
  kafka: some({
    brokers: text,
    topics: text,
    consumerGroup: text,
    iamRole: text,
    caCertificate: text,
    offset: some({ strategy: fc.constantFrom('from_beginning', 'from_latest'), timestamp: minute }),
    type: fc.constantFrom('kafka', 'msk'),
    format: fc.constantFrom('JSONEachRow', 'Protobuf'),
    authentication: fc.constantFrom('PLAIN', 'SERVICE_ACCOUNT_WORKLOAD_IDENTITY'),
    exactlyOnce: flag,
    reversePrivateEndpointIds: texts,
    schemaRegistry: some({ authentication: text, caCertificate: text, url: text }),
  }),
  kinesis: some({
    iamRole: text,
    region: text,
    streamName: text,
    timestamp: safe(0),
    useEnhancedFanOut: flag,
    iteratorType: fc.constantFrom('LATEST', 'TRIM_HORIZON'),
  }),
  objectStorage: some({
    url: text,
    path: text,
    azureContainerName: text,
    iamRole: text,
    compression: text,
    delimiter: text,
    isContinuous: flag,
    queueUrl: text,
    format: fc.constantFrom('CSV', 'Parquet'),
    skipInitialLoad: flag,
    startAfter: text,
  }),
  postgres: some({
    host: text,
    port: safe(1, 65_535),
    database: text,
    settings: some({
      allowNullableColumns: flag,
      enableFailoverSlots: flag,
      initialLoadParallelism: safe(1),
      publicationName: text,
      pullBatchSize: safe(1),
      replicationSlotName: text,
      snapshotNumRowsPerPartition: safe(1000),
      snapshotNumberOfParallelTables: safe(1),
      syncIntervalSeconds: safe(1),
    }),
    tableMappings: fc.array(
      some({
        sourceSchemaName: text,
        sourceTable: text,
        targetTable: text,
        excludedColumns: texts,
        sortingKeys: texts,
        useCustomSortingKey: flag,
        tableEngine: fc.constantFrom('MergeTree', 'Null'),
      }),
      { maxLength: 4 },
    ),
  }),
};

/** Scaling that every source kind allows in some combination with others. */
function scaling(kinds: readonly string[]): fc.Arbitrary<Record<string, unknown>> {
  const large = kinds.length === 1 && kinds[0] === 'postgres';
  return some({
    concurrency: safe(0, 34),
    replicas: safe(1, 40),
    replicaCpuMillicores: large ? safe(1000, 32_000) : safe(125, 2000),
    replicaMemoryGb: fc.double({ noNaN: true, ...(large ? { min: 4, max: 128 } : { min: 0.5, max: 8 }) }),
  });
}

/** A valid pipe without secrets and without what the service assigns. */
export const pipeArbitrary: fc.Arbitrary<Record<string, unknown>> = fc
  .record(sources, { requiredKeys: [] })
  .chain((source) => {
    const kinds = Object.keys(source);
    const name = fc
      .string({ minLength: 1, maxLength: 60, unit: 'grapheme' })
      .filter((candidate) => /\S/.test(candidate));
    const state = fc.constantFrom('Running', 'Stopped', 'Snapshot', 'Failed', 'SomethingNew');
    const rest = some({
      destination,
      fieldMappings: fc.array(fc.record({ sourceField: text, destinationField: text }), { maxLength: 4 }),
      scaling: scaling(kinds),
      settings,
    });
    return fc.tuple(name, state, rest).map(([given, state_, fields]) => ({
      name: given,
      state: state_,
      ...fields,
      ...(kinds.length > 0 && { source }),
    }));
  })
  // As JSON reads it: plain objects without `undefined`.
  .map((pipe) => JSON.parse(JSON.stringify(pipe)));
