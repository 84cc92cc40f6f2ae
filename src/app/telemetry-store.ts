import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { EngineEvent, EngineSupervisor } from '../engine/supervisor.ts';
import type { CleanupStack } from '../kernel/cleanup-stack.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Tracer } from '../kernel/tracer.ts';
import { ClickHouseAttributeColumns } from '../telemetry/attribute-columns/attribute-columns.ts';
import { AttributeUsageRecorder } from '../telemetry/attribute-columns/attribute-usage-recorder.ts';
import { HotAttributes } from '../telemetry/attribute-columns/hot-attributes.ts';
import { ClickHouseClient } from '../telemetry/clickhouse-client.ts';
import { ClickHouseQueryRunner } from '../telemetry/clickhouse-query-runner.ts';
import { DetachedParts } from '../telemetry/detached-parts.ts';
import { type EndpointSource, parseEndpoints, RoundRobinEndpoints } from '../telemetry/endpoints.ts';
import { EnsuredInserter, EnsuredTableSchemas } from '../telemetry/ensured-store.ts';
import type {
  BlockInserter,
  QueryRunner,
  TableSchemas,
  TableStatements,
  TelemetryDatabases,
  WriteTracker,
} from '../telemetry/ports.ts';
import type { Topology } from '../telemetry/schema/render-ddl.ts';
import { ClickHouseTelemetryDatabases } from '../telemetry/schema/telemetry-databases.ts';
import { StoreProbe } from '../telemetry/store-probe.ts';
import { ClickHouseTableSchemas } from '../telemetry/table-schemas.ts';
import { TrackingInserter } from '../telemetry/tracking-inserter.ts';
import { embeddedEngine } from './embedded-engine.ts';
import { engineInstruments } from './metrics/engine-instruments.ts';
import type { ProgramMetrics } from './metrics/program-metrics.ts';

export interface TelemetryStore {
  queries: QueryRunner;
  tableSchemas: TableSchemas;
  databases: TelemetryDatabases;
  inserter: BlockInserter;
  /** For tables that pipes write. */
  tables: TableStatements;
  /** Only where this process does all the writing: over the embedded engine. */
  writes?: WriteTracker;
  /** Only of the embedded engine; operators monitor their own servers. */
  detachedParts?: DetachedParts;
  /** Reads and writes; rejects with `StoreUnavailableError` when the store cannot do either right now. */
  ping(): Promise<void>;
}

export interface TelemetryStoreDeps {
  config: Config;
  metrics: Pick<ProgramMetrics, 'registry' | 'queries'>;
  tracer: Tracer;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  cleanup: CleanupStack;
}

/**
 * A replica that is more than ten seconds behind is not asked, even if there is no other: it would answer as if the rows
 * of that time did not exist.
 */
const clusterReadSettings = {
  max_replica_delay_for_distributed_queries: 10,
  fallback_to_stale_replicas_for_distributed_queries: 0,
};

/**
 * The embedded engine, or the server that the configuration names: from here on they are the same (decisions E1).
 * @throws {DataFolderLockedError} when another process works in the data folder
 */
export async function openTelemetryStore(deps: TelemetryStoreDeps): Promise<TelemetryStore> {
  const { config, metrics, tracer, clock, ids, logger, cleanup } = deps;
  const { store, retentionDays, attributeColumnsMax } = config.telemetry;
  const endpoints = await openEndpoints(deps);
  const topology = topologyOf(store);
  const readSettings = topology.kind === 'cluster' ? clusterReadSettings : {};
  const client = new ClickHouseClient({ endpoints, clock, ids, readSettings });
  cleanup.push('telemetry client', () => client.close());
  const databases = new ClickHouseTelemetryDatabases(client, topology, retentionDays);
  const columns = new ClickHouseAttributeColumns({ client, topology, columnsMax: attributeColumnsMax });
  const attributes = new HotAttributes(columns, (error) => {
    logger.warn({ err: error }, 'a column for an attribute could not be created');
  });
  const probe = new StoreProbe({
    ...{ client, database: config.telemetry.firstDatabase, clock },
    ...(topology.kind === 'cluster' && { cluster: topology.cluster }),
  });
  const inserter = new TrackingInserter(new EnsuredInserter(databases, client), retentionDays, clock);
  const runner = new ClickHouseQueryRunner(client, clock, { metrics: metrics.queries('own'), tracer });
  return {
    queries: new AttributeUsageRecorder(runner, attributes),
    tableSchemas: new EnsuredTableSchemas(databases, new ClickHouseTableSchemas(client, clock)),
    databases,
    inserter,
    tables: client,
    ...(store.kind === 'embedded' && { writes: inserter }),
    ping: () => probe.ask(),
    ...(store.kind === 'embedded' && { detachedParts: new DetachedParts({ client, clock }) }),
  };
}

async function openEndpoints(deps: TelemetryStoreDeps): Promise<EndpointSource> {
  const urls = deps.config.secrets.clickhouseUrls;
  if (urls) return new RoundRobinEndpoints(urls.flatMap((url) => parseEndpoints(url.reveal())));
  const supervisor = newSupervisor(deps);
  deps.cleanup.push('embedded engine', () => supervisor.stop());
  await supervisor.start();
  return { endpoints: () => (supervisor.endpoint ? [supervisor.endpoint] : []) };
}

function newSupervisor({ config, metrics, clock, ids, logger }: TelemetryStoreDeps): EngineSupervisor {
  const count = engineInstruments(metrics.registry);
  return embeddedEngine({
    dataFolder: config.dataFolder,
    fsync: config.telemetry.fsync,
    clock,
    ids,
    onEvent: (event) => {
      count(event);
      logEngineEvent(event, logger, config.dataFolder);
    },
  });
}

function logEngineEvent(event: EngineEvent, logger: Logger, dataFolder: string): void {
  if (event.kind === 'ready') {
    logger.info(event, 'the embedded engine is ready');
    return;
  }
  const { errorOutput, ...fields } = event;
  if (errorOutput !== '') keepEngineErrors(dataFolder, errorOutput);
  logger.warn(fields, 'the embedded engine is not running');
}

/** What the engine said last may quote stored rows: for the owner of the data folder, not for the log. */
function keepEngineErrors(dataFolder: string, text: string): void {
  try {
    writeFileSync(join(dataFolder, 'engine-errors.txt'), text, { mode: 0o600 });
  } catch {
    // A full disk may be why the engine ended.
  }
}

export function topologyOf(store: Config['telemetry']['store']): Topology {
  if (store.kind === 'embedded') return { kind: 'embedded' };
  return store.cluster === undefined ? { kind: 'single' } : { kind: 'cluster', cluster: store.cluster };
}
