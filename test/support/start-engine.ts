import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { EngineEndpoint } from '../../src/engine/endpoint-file.ts';
import type { EngineEvent, EngineSupervisor, EngineSupervisorOptions } from '../../src/engine/supervisor.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { randomIds } from '../../src/kernel/ids.ts';
import { ClickHouseClient } from '../../src/telemetry/clickhouse-client.ts';
import { ClickHouseQueryRunner } from '../../src/telemetry/clickhouse-query-runner.ts';
import type { BlockInserter, TelemetryDatabases } from '../../src/telemetry/ports.ts';
import type { Topology } from '../../src/telemetry/schema/render-ddl.ts';
import { ClickHouseTelemetryDatabases } from '../../src/telemetry/schema/telemetry-databases.ts';
import { ClickHouseTableSchemas } from '../../src/telemetry/table-schemas.ts';
import { afterFile } from './after-file.ts';
import { engineSupervisor } from './engine-supervisor.ts';
import { isOnServer, OwnDatabases, type ServerUnderTest, serverClient, serverUnderTest } from './server-engine.ts';

/** Tests use fixed instants, which must not expire. */
const retention = { logs: 3_650, traces: 3_650, metrics: 3_650 };

/** An engine without data, for one test file. */
export interface TestEngine {
  client: ClickHouseClient;
  queryRunner: ClickHouseQueryRunner;
  tableSchemas: ClickHouseTableSchemas;
  databases: TelemetryDatabases;
  topology: Topology;
  inserter: BlockInserter;
  /** Where it is now. */
  endpoint(): EngineEndpoint;
}

/** One that runs for this file alone, which may kill it. */
export interface OwnEngine extends TestEngine {
  supervisor: EngineSupervisor;
  /** What the supervisor reported, oldest first. */
  events: EngineEvent[];
  dataDir: string;
  stop(): Promise<void>;
}

/**
 * An engine for this file alone: a start costs a few tenths of a CPU second, and what another file still does when it is
 * over cannot reach it. In the project `server`, the server that the environment names, emptied.
 */
export async function openEngine(): Promise<TestEngine> {
  const server = isOnServer ? serverUnderTest() : undefined;
  return server ? openServer(server) : startEngine();
}

function openServer(server: ServerUnderTest): TestEngine {
  const client = serverClient(server);
  const databases = new OwnDatabases(client, server.topology, retention);
  // Before the client is closed.
  afterFile(() => databases.dropAll());
  const { url, user = 'default', secret = '' } = server.endpoint;
  const endpoint = () => ({ url, user, secret });
  return { ...testEngine(client, endpoint), databases, topology: server.topology };
}

/** A separate engine child in a separate folder, for tests of its lifecycle; stopped and removed after the file's tests. */
export async function startEngine(): Promise<OwnEngine> {
  const dataDir = mkdtempSync(join(tmpdir(), 'signalbox-engine-'));
  const events: EngineEvent[] = [];
  const supervisor = newSupervisor(dataDir, (event) => events.push(event));
  await supervisor.start();
  const client = newEngineClient(supervisor);
  let stopped: Promise<void> | undefined;
  const end = async () => {
    await client.close();
    await supervisor.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  const stop = () => {
    stopped ??= end();
    return stopped;
  };
  afterFile(stop);
  const endpoint = () => {
    if (!supervisor.endpoint) throw new Error('the engine is not ready');
    return supervisor.endpoint;
  };
  return { ...testEngine(client, endpoint), supervisor, events, dataDir, stop };
}

function testEngine(client: ClickHouseClient, endpoint: () => EngineEndpoint): TestEngine {
  return {
    client,
    queryRunner: new ClickHouseQueryRunner(client, systemClock),
    tableSchemas: new ClickHouseTableSchemas(client, systemClock),
    databases: new ClickHouseTelemetryDatabases(client, { kind: 'embedded' }, retention),
    topology: { kind: 'embedded' },
    inserter: client,
    endpoint,
  };
}

export function newSupervisor(
  dataDir: string,
  onEvent: (event: EngineEvent) => void = () => {},
  options: Partial<EngineSupervisorOptions> = {},
): EngineSupervisor {
  return engineSupervisor({ programFolder: inject('programFolder'), dataDir, onEvent, ...options });
}

export function newEngineClient(engine: { readonly endpoint: EngineEndpoint | undefined }): ClickHouseClient {
  const endpoints = { endpoints: () => (engine.endpoint ? [engine.endpoint] : []) };
  return new ClickHouseClient({ endpoints, clock: systemClock, ids: randomIds });
}
