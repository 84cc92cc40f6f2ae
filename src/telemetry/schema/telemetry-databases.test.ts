import { expect, it } from 'vitest';
import type { ClickHouseClient } from '../clickhouse-client.ts';
import type { QueryResult } from '../ports.ts';
import { renderCreateTable, storedTable, type Topology, telemetryTables } from './render-ddl.ts';
import { ClickHouseTelemetryDatabases } from './telemetry-databases.ts';

const topology: Topology = { kind: 'cluster', cluster: 'main' };
const retention = { logs: 30, traces: 30, metrics: 30 };

it('a start that was interrupted between the two tables of a cluster is completed', async () => {
  const commands: string[] = [];
  const database = new ClickHouseTelemetryDatabases(
    clientWithoutDistributed('otel_traces', commands),
    topology,
    retention,
  );
  await database.ensure('otel');
  const traces = telemetryTables.find(({ name }) => name === 'otel_traces') ?? expect.unreachable();
  expect(commands).toEqual(renderCreateTable('otel', traces, topology, retention).slice(1));
});

const noRows: QueryResult = { names: [], types: [], columns: [], rows: 0, rowsRead: 0, bytesRead: 0, elapsedMs: 0 };

/** A cluster that has everything but the table over all shards of one name. */
function clientWithoutDistributed(missing: string, commands: string[]): ClickHouseClient {
  const client: Pick<ClickHouseClient, 'query' | 'command'> = {
    command: async (sql) => void commands.push(sql),
    query: async (_, { params = {} }) => {
      // Which nodes lack a table: none.
      if (params.cluster !== undefined) return noRows;
      const table = telemetryTables.find((one) => storedTable(one, topology) === params.table) ?? expect.unreachable();
      const [definition = ''] = renderCreateTable('otel', table, topology, retention);
      const columns = [
        definition,
        table.columns.map(([name]) => name),
        Object.keys(table.indexes),
        Object.keys(table.projections),
        params.name === missing ? 0 : 1,
      ].map((value) => [value]);
      return { ...noRows, columns, rows: 1 };
    },
  };
  // The databases use no more of it.
  return client as ClickHouseClient;
}
