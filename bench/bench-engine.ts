import { join, resolve } from 'node:path';
import { EngineSupervisor } from '../src/engine/supervisor.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { randomIds } from '../src/kernel/ids.ts';
import { ClickHouseClient } from '../src/telemetry/clickhouse-client.ts';
import { ClickHouseTelemetryDatabases } from '../src/telemetry/schema/telemetry-databases.ts';

/** A program looks at the columns of a table once in half a minute. */
const columnsSeenMs = 31_000;
const childFile = join(resolve(import.meta.dirname, '..'), 'dist/engine-child.js');

/** An engine of the bench's own, spoken to without the program around it. */
export interface BenchEngine {
  pid: number;
  /** As `SIGNALBOX_CLICKHOUSE_URL`, so that the program can run on this engine too. */
  url: string;
  client: ClickHouseClient;
  databases: ClickHouseTelemetryDatabases;
  stop(): Promise<void>;
}

export async function startBenchEngine(dataDir: string): Promise<BenchEngine> {
  const supervisor = new EngineSupervisor({
    childFile,
    dataDir,
    memoryBytesMax: 6 * 1024 ** 3,
    concurrencyMax: 12,
    fsync: false,
    clock: systemClock,
    ids: randomIds,
  });
  await supervisor.start();
  const { endpoint, pid } = supervisor;
  if (!endpoint || pid === undefined) throw new Error('the engine is not ready');
  const url = new URL(endpoint.url);
  url.username = endpoint.user;
  url.password = endpoint.secret;
  const client = new ClickHouseClient({
    endpoints: { endpoints: () => [endpoint] },
    clock: systemClock,
    ids: randomIds,
  });
  return {
    pid,
    url: url.href,
    client,
    databases: new ClickHouseTelemetryDatabases(client, { kind: 'embedded' }, { logs: 30, traces: 30, metrics: 30 }),
    async stop() {
      await client.close();
      await supervisor.stop();
    },
  };
}

/** Merges continue for a while after the last insert, and new columns are filled; their CPU belongs to no request. */
export async function untilMerged({ client }: BenchEngine): Promise<void> {
  for (let quiet = 0; quiet < 5; ) {
    const { columns } = await client.query(
      'SELECT (SELECT count() FROM system.merges) + (SELECT countIf(NOT is_done) FROM system.mutations)',
      { timeoutMs: 60_000 },
    );
    quiet = Number(columns[0]?.[0]) === 0 ? quiet + 1 : 0;
    await new Promise((done) => setTimeout(done, 1000));
  }
}

/** Until the program reads the new attribute columns. */
export async function untilColumnsSeen(engine: BenchEngine): Promise<void> {
  await untilMerged(engine);
  await new Promise((done) => setTimeout(done, columnsSeenMs));
}
