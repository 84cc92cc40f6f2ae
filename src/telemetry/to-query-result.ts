import { engineErrorOf } from './engine-errors.ts';
import { type QueryResult, TelemetryError } from './ports.ts';

/** The format `JSONColumnsWithMetadata`. */
interface JsonColumns {
  meta: { name: string; type: string }[];
  data: Record<string, unknown[]>;
  rows: number;
  statistics: { elapsed: number; rows_read: number; bytes_read: number };
}

/** Throws `TelemetryError`: `unreadable` if it is not an answer of ClickHouse; the error of the answer if it contains one. */
export function toQueryResult(body: Buffer): QueryResult {
  const answer = parse(body);
  if (!isJsonColumns(answer)) throw problemIn(body);
  const { meta, data, rows, statistics } = answer;
  return {
    names: meta.map(({ name }) => name),
    types: meta.map(({ type }) => type),
    columns: meta.map(({ name }) => data[name] ?? []),
    rows,
    rowsRead: statistics.rows_read,
    bytesRead: statistics.bytes_read,
    elapsedMs: statistics.elapsed * 1000,
  };
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/** A server that failed with half of its answer sent writes the error behind that half. */
function problemIn(body: Buffer): TelemetryError {
  const end = body.subarray(-4_096).toString();
  if (/Code: \d+\. DB::Exception/.test(end)) return engineErrorOf(500, undefined, end);
  return new TelemetryError('unreadable', 'the answer is not one of ClickHouse');
}

function isJsonColumns(answer: unknown): answer is JsonColumns {
  if (!isObject(answer) || !Array.isArray(answer.meta) || !isObject(answer.data)) return false;
  const { meta, data, rows, statistics } = answer;
  if (typeof rows !== 'number' || !isObject(statistics)) return false;
  const counts = [statistics.elapsed, statistics.rows_read, statistics.bytes_read];
  if (!counts.every((count) => typeof count === 'number')) return false;
  return meta.every((column) => isColumn(column) && isFilled(data[column.name], rows));
}

function isColumn(column: unknown): column is { name: string; type: string } {
  return isObject(column) && typeof column.name === 'string' && typeof column.type === 'string';
}

/** Columns of an answer without rows may be left out. */
function isFilled(values: unknown, rows: number): boolean {
  return values === undefined ? rows === 0 : Array.isArray(values) && values.length === rows;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
