import type { IncomingMessage } from 'node:http';
import { quoteText } from '../kernel/sql-quoting.ts';
import { EngineError } from './engine-error.ts';

/** One request of the ClickHouse HTTP interface, parsed. */
export interface HttpStatement {
  /** The `query` parameter; the body continues it, or is insert data. */
  query: string;
  database: string | undefined;
  format: string;
  params: Map<string, string>;
  settings: Map<string, string>;
}

/** Parameters of the interface itself, with no meaning to the embedded engine. */
const ignored = new Set(['query_id', 'session_id', 'user', 'password', 'wait_end_of_query', 'buffer_size', 'compress']);
/** Answers are complete when their status is sent, and a client that disconnects always cancels. */
const alwaysOn = new Set(['http_write_exception_in_output_format', 'cancel_http_readonly_queries_on_client_close']);

export function parseHttpStatement(request: IncomingMessage): HttpStatement {
  const url = new URL(request.url ?? '/', 'http://engine');
  const statement: HttpStatement = {
    query: '',
    database: header(request, 'x-clickhouse-database'),
    format: header(request, 'x-clickhouse-format') ?? 'TabSeparated',
    params: new Map(),
    settings: new Map(),
  };
  for (const [name, value] of url.searchParams) takeParameter(statement, name, value);
  if (request.method === 'GET' && !statement.settings.has('readonly')) statement.settings.set('readonly', '2');
  return statement;
}

function takeParameter(statement: HttpStatement, name: string, value: string): void {
  if (name === 'query') statement.query = value;
  else if (name === 'database') statement.database = value;
  else if (name === 'default_format') statement.format = value;
  else if (name.startsWith('param_')) statement.params.set(name.slice('param_'.length), value);
  else if (!ignored.has(name) && !alwaysOn.has(name)) statement.settings.set(name, value);
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}

/**
 * `INSERT INTO t (…) FORMAT X` with its data elsewhere, split where `FROM INFILE` belongs; `undefined` for other
 * statements.
 */
export function splitInsert(query: string): { target: string; format: string } | undefined {
  if (!/^\s*INSERT\s/i.test(query)) return undefined;
  const text = query.trim();
  const statement = text.endsWith(';') ? text.slice(0, -1).trimEnd() : text;
  const format = /\sFORMAT\s+(\w+)$/i.exec(statement);
  if (!format?.[1]) return undefined;
  const target = statement.slice(0, format.index).trimEnd();
  const isPlain = /^INSERT\s+INTO\s/i.test(target) && !/['"]/.test(target);
  return isPlain ? { target, format: format[1] } : undefined;
}

/**
 * `INSERT INTO t SELECT … FROM input('…') FORMAT X`, which shapes its data before they are stored, as the engine reads
 * it from a file; `undefined` for other statements. The only texts in it are the structures of `input` and `null`.
 */
export function splitShapedInsert(query: string): ((path: string) => string) | undefined {
  const from = query.indexOf(inputStart);
  const formatAt = query.lastIndexOf(inputEnd);
  if (from < 0 || formatAt < from) return undefined;
  const head = query.slice(0, from);
  const structure = query.slice(from + inputStart.length - 1, formatAt + 1);
  const format = query.slice(formatAt + inputEnd.length);
  const target =
    /^INSERT INTO FUNCTION null\(('(?:[^'\\]|\\.)*')\) SELECT /.exec(head)?.[0] ?? /^INSERT INTO /.exec(head)?.[0];
  if (target === undefined || /['"]/.test(head.slice(target.length))) return undefined;
  if (!/^'(?:[^'\\]|\\.)*'$/.test(structure) || !/^\w+$/.test(format)) return undefined;
  return (path) => `${head} FROM file(${quoteText(path)}, ${quoteText(format)}, ${structure})`;
}

const inputStart = " FROM input('";
const inputEnd = "') FORMAT ";

/** Insert data inside the statement's text is rejected: see `InsertBodies`. */
export function rejectInlineData(sql: string): void {
  if (!/^\s*INSERT\s/i.test(sql)) return;
  const withoutTexts = sql.replaceAll(/'(?:[^'\\]|\\.)*(?:'|\\?$)/gs, "''");
  if (/\sFORMAT\s+(?!Values\b)\w+(?!\w)\s*[^\s;]/i.test(withoutTexts)) {
    throw new EngineError('Insert data must be the body of the request, the statement its `query` parameter', 62);
  }
}

/** The one control statement that is served: hard links for a backup, under a name that cannot lead elsewhere. */
export function isFreeze(sql: string): boolean {
  return /^ALTER TABLE `\w+`\.`\w+` FREEZE WITH NAME '[a-z0-9_]+'$/.test(sql);
}
