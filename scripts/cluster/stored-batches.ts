import type { ClickHouseClient } from '../../src/telemetry/clickhouse-client.ts';
import type { Sent, Signal } from './exporter.ts';

const tables: Readonly<Record<Signal, { table: string; attributes: string }>> = {
  logs: { table: 'otel_logs', attributes: 'LogAttributes' },
  traces: { table: 'otel_traces', attributes: 'SpanAttributes' },
  metrics: { table: 'otel_metrics_sum', attributes: 'Attributes' },
};

export interface Outcome {
  records: number;
  /** Records that were acknowledged and are not stored. */
  lost: number;
  /** Records that are stored more often than they were sent. */
  doubled: number;
}

/** Compares what was sent with what every shard holds. */
export async function assess(client: ClickHouseClient, batches: ReadonlyMap<string, Sent>): Promise<Outcome> {
  const outcome: Outcome = { records: 0, lost: 0, doubled: 0 };
  const stored = await storedBatches(client);
  for (const [batch, { records, answeredMs }] of batches) {
    const found = stored.get(batch) ?? 0;
    outcome.records += found;
    outcome.doubled += Math.max(0, found - records);
    if (answeredMs !== undefined) outcome.lost += Math.max(0, records - found);
  }
  return outcome;
}

async function storedBatches(client: ClickHouseClient): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const { table, attributes } of Object.values(tables)) {
    const sql = `SELECT ${attributes}['batch'], count() FROM otel.${table} GROUP BY 1`;
    const { columns } = await client.query(sql, { timeoutMs: 60_000 });
    const [batches = [], counts = []] = columns;
    for (const [at, batch] of batches.entries()) found.set(String(batch), Number(counts[at]));
  }
  return found;
}
