import { systemClock } from '../../src/kernel/clock.ts';
import type { Guards } from '../../src/query/chart-query.ts';
import type { EventSourceSchema } from '../../src/query/source-schema.ts';
import { sourceToSchema } from '../../src/resources/charts/reading/source-to-schema.ts';
import { defaultSources } from '../../src/resources/sources/default-sources.ts';
import { ClickHouseQueryRunner } from '../../src/telemetry/clickhouse-query-runner.ts';
import { ClickHouseTableSchemas } from '../../src/telemetry/table-schemas.ts';
import type { BenchEngine } from '../bench-engine.ts';
import { ownDatabase } from '../charts/chart-data.ts';

const guards: Guards = {
  database: ownDatabase,
  resultRowsMax: 250_000,
  memoryBytesMax: 4 * 1024 ** 3,
  timeoutMs: 120_000,
};

/** The program's own table of spans, ready for the compiler. */
export async function openSpanTable({ client }: BenchEngine) {
  const ids = { logs: 'logs', traces: 'traces', metrics: 'metrics' };
  const source = defaultSources(ids, { connectionId: '', database: ownDatabase }).find(({ kind }) => kind === 'trace');
  const table = await new ClickHouseTableSchemas(client, systemClock).describe(ownDatabase, 'otel_traces');
  if (source?.kind !== 'trace' || !table) throw new Error('the table of spans is not there');
  const schema = sourceToSchema(source, undefined, table) as EventSourceSchema; // Of a trace source it is one of events.
  return { schema, guards, runner: new ClickHouseQueryRunner(client, systemClock) };
}
