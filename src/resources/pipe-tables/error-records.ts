import { type PipeError, recordCharsShown } from '../../contract/pipe-errors.ts';
import { quoteName, quoteText } from '../../kernel/sql-quoting.ts';
import type { QueryRunner } from '../../telemetry/ports.ts';
import { errorTableName } from '../pipes/error-table.ts';

const timeoutMs = 10_000;

interface ErrorRecordsOrder {
  database: string;
  pipeId: string;
  /** Tables of the pipe; those of its errors are made with the first error. */
  tables: readonly string[];
  max: number;
  signal: AbortSignal;
}

/** The latest records that did not fit the tables of a pipe, newest first. Throws `TelemetryError`. */
export async function readErrorRecords(runner: QueryRunner, order: ErrorRecordsOrder): Promise<PipeError[]> {
  const tables = await tablesWithErrors(runner, order);
  if (tables.length === 0) return [];
  const { database, pipeId, max, signal } = order;
  const params: Record<string, string> = { pipe: pipeId, max: String(max), chars: String(recordCharsShown) };
  const parts = tables.map((table, index) => {
    params[`t${index}`] = table;
    const from = `${quoteName(database)}.${quoteName(errorTableName(table))}`;
    return `SELECT toUnixTimestamp64Milli(at) AS at_ms, {t${index}:String} AS target, position, reason,
      substringUTF8(record, 1, {chars:UInt32}) AS shown, lengthUTF8(record) AS chars
    FROM ${from} WHERE pipe_id = {pipe:UUID} ORDER BY at DESC LIMIT {max:UInt32}`;
  });
  const sql = `SELECT * FROM (${parts.join('\nUNION ALL\n')}) ORDER BY at_ms DESC, target, position LIMIT {max:UInt32}`;
  const { columns, rows } = await run(runner, { sql, params }, signal);
  const [at = [], targets = [], positions = [], reasons = [], records = [], chars = []] = columns;
  return Array.from({ length: rows }, (_, row) => ({
    at: new Date(Number(at[row])).toISOString(),
    table: String(targets[row]),
    position: String(positions[row]),
    reason: String(reasons[row]),
    record: String(records[row]),
    recordChars: Number(chars[row]),
  }));
}

async function tablesWithErrors(runner: QueryRunner, order: ErrorRecordsOrder): Promise<string[]> {
  const { database, tables, signal } = order;
  const sql = 'SELECT name FROM system.tables WHERE database = {db:String} AND has({names:Array(String)}, name)';
  const names = `[${tables.map((table) => quoteText(errorTableName(table))).join(',')}]`;
  const { columns } = await run(runner, { sql, params: { db: database, names } }, signal);
  const found = new Set(columns[0]?.map(String));
  return tables.filter((table) => found.has(errorTableName(table)));
}

function run(runner: QueryRunner, statement: { sql: string; params: Record<string, string> }, signal: AbortSignal) {
  return runner.run({ ...statement, settings: {} }, { queryClass: 'interactive', timeoutMs, signal });
}
