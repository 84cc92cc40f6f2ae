import { systemClock } from '../../src/kernel/clock.ts';
import { randomIds } from '../../src/kernel/ids.ts';
import { ClickHouseClient } from '../../src/telemetry/clickhouse-client.ts';
import { RoundRobinEndpoints } from '../../src/telemetry/endpoints.ts';
import { serverUnderTest } from './server-engine.ts';

const listDatabases = `SELECT name FROM system.databases
  WHERE lower(name) NOT IN ('system', 'information_schema', 'default') AND name NOT LIKE 'test\\_%' ORDER BY name`;

/** Tests drop the databases that they use: they may only run on a server that has none. */
export async function setup(): Promise<void> {
  const server = serverUnderTest();
  if (!server) throw new Error('SIGNALBOX_TEST_CLICKHOUSE_URL names no server');
  const endpoints = new RoundRobinEndpoints([server.endpoint]);
  const client = new ClickHouseClient({ endpoints, clock: systemClock, ids: randomIds });
  const { columns } = await client.query(listDatabases, { timeoutMs: 10_000 });
  await client.close();
  const names = (columns[0] ?? []).map(String);
  if (names.length > 0) {
    throw new Error(
      `SIGNALBOX_TEST_CLICKHOUSE_URL: the server has databases (${names.join(', ')}); tests need one without`,
    );
  }
}
