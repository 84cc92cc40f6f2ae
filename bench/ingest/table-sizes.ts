import type { BenchEngine } from '../bench-engine.ts';
import { exporterTables } from '../charts/exporter-tables.ts';

export interface LogSizes {
  bytesPerLog: number;
  exporterBytesPerLog: number;
}

/** The same logs in our table and in the exporter's, each merged to one part a day, indexes included. */
export async function logSizes(engine: BenchEngine): Promise<LogSizes> {
  for (const statement of exporterTables('exporter')) await command(engine, statement);
  const columns = await storedColumns(engine);
  await command(engine, `INSERT INTO exporter.otel_logs (${columns}) SELECT ${columns} FROM otel.otel_logs`);
  for (const database of ['otel', 'exporter']) await command(engine, `OPTIMIZE TABLE ${database}.otel_logs FINAL`);
  return { bytesPerLog: await bytesPerLog(engine, 'otel'), exporterBytesPerLog: await bytesPerLog(engine, 'exporter') };
}

/** Those that an INSERT may name in both tables. */
async function storedColumns(engine: BenchEngine): Promise<string> {
  const { columns } = await engine.client.query(
    `SELECT name FROM system.columns WHERE table = 'otel_logs' AND default_kind IN ('', 'DEFAULT')
     GROUP BY name HAVING count() = 2`,
    { timeoutMs: 60_000 },
  );
  return (columns[0] ?? []).map((name) => `\`${String(name)}\``).join(', ');
}

async function bytesPerLog(engine: BenchEngine, database: string): Promise<number> {
  const { columns } = await engine.client.query(
    `SELECT sum(bytes_on_disk) / sum(rows) FROM system.parts WHERE active AND database = '${database}' AND table = 'otel_logs'`,
    { timeoutMs: 60_000 },
  );
  return Number(columns[0]?.[0]);
}

function command(engine: BenchEngine, sql: string): Promise<void> {
  return engine.client.command(sql, { timeoutMs: 600_000 });
}
