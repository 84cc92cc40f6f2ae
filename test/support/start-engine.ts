import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, inject } from 'vitest';
import { type EngineEvent, EngineSupervisor, type EngineSupervisorOptions } from '../../src/engine/supervisor.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { randomIds } from '../../src/kernel/ids.ts';
import { ClickHouseClient } from '../../src/telemetry/clickhouse-client.ts';
import { ClickHouseQueryRunner } from '../../src/telemetry/clickhouse-query-runner.ts';
import type { BlockInserter } from '../../src/telemetry/ports.ts';
import { ClickHouseTelemetryDatabases } from '../../src/telemetry/schema/telemetry-databases.ts';
import { ClickHouseTableSchemas } from '../../src/telemetry/table-schemas.ts';

/** Tests use instants of their own, which must not expire under them. */
const retention = { logs: 3_650, traces: 3_650, metrics: 3_650 };

export interface TestEngine {
  client: ClickHouseClient;
  queryRunner: ClickHouseQueryRunner;
  tableSchemas: ClickHouseTableSchemas;
  databases: ClickHouseTelemetryDatabases;
  inserter: BlockInserter;
  supervisor: EngineSupervisor;
  /** What the supervisor reported, oldest first. */
  events: EngineEvent[];
  url: string;
  dataDir: string;
  stop(): Promise<void>;
}

/** An engine child of its own for a test file, in a folder of its own; stopped and removed after the file's tests. */
export async function startEngine(): Promise<TestEngine> {
  const dataDir = mkdtempSync(join(tmpdir(), 'signalbox-engine-'));
  const events: EngineEvent[] = [];
  const supervisor = newSupervisor(dataDir, (event) => events.push(event));
  await supervisor.start();
  const client = newEngineClient(supervisor);
  const stop = async () => {
    await client.close();
    await supervisor.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  afterAll(stop);
  return {
    client,
    queryRunner: new ClickHouseQueryRunner(client, systemClock),
    tableSchemas: new ClickHouseTableSchemas(client, systemClock),
    databases: new ClickHouseTelemetryDatabases(client, { kind: 'embedded' }, retention),
    inserter: client,
    supervisor,
    events,
    url: supervisor.endpoint?.url ?? '',
    dataDir,
    stop,
  };
}

export function newSupervisor(
  dataDir: string,
  onEvent: (event: EngineEvent) => void = () => {},
  options: Partial<EngineSupervisorOptions> = {},
): EngineSupervisor {
  return new EngineSupervisor({
    childFile: join(inject('programFolder'), 'engine-child.js'),
    dataDir,
    memoryBytesMax: 2 * 1024 ** 3,
    concurrencyMax: 24,
    fsync: false,
    clock: systemClock,
    ids: randomIds,
    onEvent,
    ...options,
  });
}

export function newEngineClient(supervisor: EngineSupervisor): ClickHouseClient {
  const endpoints = { endpoints: () => (supervisor.endpoint ? [supervisor.endpoint] : []) };
  return new ClickHouseClient({ endpoints, clock: systemClock, ids: randomIds });
}
