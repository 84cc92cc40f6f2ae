import type { PipeInput } from '../../contract/pipe-input.ts';
import type { PipeDefinition } from '../pipe-definition.ts';

type PostgresInput = NonNullable<NonNullable<PipeInput['source']>['postgres']>;
type Mapping = NonNullable<PostgresInput['tableMappings']>[number];

const modes = ['cdc', 'snapshot', 'cdc_only'] as const;
type ReplicationMode = (typeof modes)[number];
const engines = ['ReplacingMergeTree', 'MergeTree', 'Null'] as const;

/** What the pipe reads and how, with its defaults filled in. */
export interface PostgresPlan {
  server: PostgresServerAddress;
  mode: ReplicationMode;
  tables: readonly MappedTable[];
  slot: NamedObject;
  publication: NamedObject;
  hasFailoverSlot: boolean;
  keepsNulls: boolean;
  /** Rows that are deleted stay visible, with their mark. */
  showsDeleted: boolean;
  isManaged: boolean;
  syncIntervalMs: number;
  changesMax: number;
  rowsPerPartition: number;
  lanesPerTable: number;
  tablesAtOnce: number;
}

export interface PostgresServerAddress {
  host: string;
  port: number;
  database: string;
  user: string;
  password: string;
  /** `undefined` = without TLS. */
  tls: { serverName: string; certificate?: string; isVerified: boolean } | undefined;
}

/** Given by the pipe, or made by us and removed with it. */
interface NamedObject {
  name: string;
  isOurs: boolean;
}

export interface MappedTable {
  schema: string;
  table: string;
  target: string;
  excluded: ReadonlySet<string>;
  /** Absent = the primary key. */
  sortingKeys?: readonly string[];
  engine: (typeof engines)[number];
  partitionBy?: string;
}

const usual = { port: 5432, syncIntervalSeconds: 10, pullBatchSize: 100_000, rowsPerPartition: 100_000 };

/** Of a pipe without problems (`postgresProblems`). */
export function postgresPlanOf(pipe: PipeDefinition): PostgresPlan {
  const source = pipe.source?.postgres ?? {};
  const settings = source.settings ?? {};
  const ownName = `signalbox_${pipe.id.replaceAll('-', '_')}`;
  const named = (given: string | undefined) => ({ name: given || ownName, isOurs: !given });
  return {
    server: addressOf(source),
    mode: modes.find((mode) => mode === settings.replicationMode) ?? 'cdc',
    tables: (source.tableMappings ?? []).map(mappedTableOf),
    slot: named(settings.replicationSlotName),
    publication: named(settings.publicationName),
    hasFailoverSlot: settings.enableFailoverSlots ?? false,
    keepsNulls: settings.allowNullableColumns ?? false,
    showsDeleted: settings.deleteOnMerge === false,
    isManaged: pipe.destination?.managedTable ?? true,
    syncIntervalMs: (settings.syncIntervalSeconds ?? usual.syncIntervalSeconds) * 1000,
    changesMax: settings.pullBatchSize ?? usual.pullBatchSize,
    rowsPerPartition: settings.snapshotNumRowsPerPartition ?? usual.rowsPerPartition,
    ...snapshotWidthOf(settings),
  };
}

function addressOf(source: PostgresInput): PostgresServerAddress {
  const { host = '', port = usual.port, database = '', credentials = {} } = source;
  const { disableTls = false, skipCertVerification = false, tlsHost, caCertificate } = source;
  return {
    host,
    port,
    database,
    user: credentials.username ?? credentials.user ?? '',
    password: credentials.password ?? '',
    tls: disableTls
      ? undefined
      : {
          serverName: tlsHost || host,
          isVerified: !skipCertVerification,
          ...(caCertificate && { certificate: caCertificate }),
        },
  };
}

export function mappedTableOf(mapping: Mapping): MappedTable {
  const { sourceSchemaName = 'public', sourceTable = '', sortingKeys = [], partitionByExpr } = mapping;
  return {
    schema: sourceSchemaName,
    table: sourceTable,
    target: mapping.targetTable || sourceTable,
    excluded: new Set(mapping.excludedColumns ?? []),
    engine: engines.find((engine) => engine === mapping.tableEngine) ?? 'ReplacingMergeTree',
    ...(sortingKeys.length > 0 && { sortingKeys }),
    ...(partitionByExpr && { partitionBy: partitionByExpr }),
  };
}

const usualLanesPerTable = 4;

/** How many partitions are copied at the same time: of one table, and of how many tables. */
export function snapshotWidthOf(settings: NonNullable<PostgresInput['settings']>) {
  return {
    lanesPerTable: settings.initialLoadParallelism ?? usualLanesPerTable,
    tablesAtOnce: settings.snapshotNumberOfParallelTables ?? 1,
  };
}
