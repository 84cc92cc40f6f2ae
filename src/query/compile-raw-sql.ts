import type { Condition, Guards } from './chart-query.ts';
import { compileConditions } from './compile-text.ts';
import { type CompiledQuery, QueryTextError, sourceFilterPath } from './compiled-query.ts';
import { settingsOf } from './finish-plan.ts';
import { verifyConditions } from './passes/verify-guards.ts';
import { printConditions } from './print/print-clickhouse.ts';
import { readObjection, readSyntaxError } from './raw-sql/engine-message.ts';
import { expandTemplate } from './raw-sql/expand-template.ts';
import { forbiddenInTree } from './raw-sql/query-tree.ts';
import { readSqlTokens } from './raw-sql/read-sql-tokens.ts';
import { examineSyntax, type NamedTable, type SyntaxFindings } from './raw-sql/syntax-tree.ts';
import type { TemplateScope, WrittenCondition } from './raw-sql/template-scope.ts';
import type { WrittenSql } from './raw-sql/written-sql.ts';
import { scopeOf } from './schema/scope.ts';
import { type SourceSchema, tableOfSchema } from './source-schema.ts';

export type { NamedTable } from './raw-sql/syntax-tree.ts';
export type { TemplateScope, VariableValues, WrittenCondition } from './raw-sql/template-scope.ts';

/** A statement that a person wrote, with its macros replaced; not yet known to be harmless. */
export interface RawStatement {
  template: string;
  written: WrittenSql;
  params: Readonly<Record<string, string>>;
}

/** Throws `QueryTextError` with the position in the template. */
export function writeStatement(template: string, scope: TemplateScope): RawStatement {
  return { template, ...expandTemplate(template, scope) };
}

/** Whether the statement has buckets as wide as the chart's, or as the window of an alert. */
export function usesInterval(template: string): boolean {
  return tokensOf(template).some(
    ({ kind, value }) =>
      (kind === 'macro' && ['timeInterval', 'timeInterval_ms', 'interval_s'].includes(value)) ||
      (kind === 'parameter' && (value === 'intervalSeconds' || value === 'intervalMilliseconds')),
  );
}

export function usesMacro(template: string, name: string): boolean {
  if (!template.includes(`$__${name}`)) return false;
  return tokensOf(template).some(({ kind, value }) => kind === 'macro' && value === name);
}

/** Whether a variable stands for names of columns, without a value of which there is no statement. */
export function takesNames(template: string): boolean {
  return tokensOf(template).some(({ kind, form }) => kind === 'variable' && form === 'csv');
}

/** The kind of metric whose table the statement reads, as it is written: `gauge`, `exponential histogram`. */
export function sourceTableKind(template: string): string | undefined {
  const tokens = tokensOf(template);
  const macro = tokens.findIndex(({ kind, value }) => kind === 'macro' && value === 'sourceTable');
  if (macro < 0 || tokens[macro + 1]?.value !== '(') return undefined;
  const rest = tokens.slice(macro + 2);
  const end = rest.findIndex(({ value }) => value === ')');
  return (
    rest
      .slice(0, Math.max(end, 0))
      .map(({ value }) => value)
      .join(' ') || undefined
  );
}

function tokensOf(template: string) {
  try {
    return readSqlTokens(template);
  } catch (error) {
    if (error instanceof QueryTextError) return [];
    throw error;
  }
}

/** What narrows a statement: its source's own filter and these conditions; `undefined` when nothing does. */
export function writeFilters(conditions: readonly Condition[], source: SourceSchema): WrittenCondition | undefined {
  const { filter } = source.kind === 'metric' ? {} : source;
  const own: Condition[] =
    filter === undefined ? [] : [{ where: filter, whereLanguage: 'sql', path: sourceFilterPath }];
  return writeConditions([...own, ...conditions], source, 'p');
}

/** Conditions as a part of a statement, whose parameters begin with the prefix; `undefined` if they match everything. */
export function writeConditions(
  conditions: readonly Condition[],
  source: SourceSchema,
  prefix: string,
): WrittenCondition | undefined {
  const table = tableOfSchema(source);
  if (!table) throw new Error('a metric source without a table');
  const scope = scopeOf(source, table);
  const all = compileConditions(conditions, scope);
  if (all.length === 0) return undefined;
  verifyConditions(all, table);
  return printConditions(all, prefix);
}

type Limits = Omit<Guards, 'database'>;

/** The statement itself; to be run only after all checks. Its times are ISO 8601 in UTC. */
export function rawQuery(
  { written, params }: RawStatement,
  database: string | undefined,
  limits: Limits,
): CompiledQuery {
  return withPlace({ sql: written.sql, params, settings: rawSettings(limits) }, database);
}

const syntaxPrefix = 'EXPLAIN AST SELECT * FROM (';

/** The tree of the statement as the engine's parser reads it; nothing of it is resolved or run. */
export function syntaxQuery(
  { written, params }: RawStatement,
  database: string | undefined,
  limits: Limits,
): CompiledQuery {
  return withPlace({ sql: `${syntaxPrefix}${written.sql})`, params, settings: rawSettings(limits) }, database);
}

/** Fails with the place where the statement is no query. */
export function parserQuery({ written }: RawStatement, limits: Limits): CompiledQuery {
  const sql = 'SELECT length(formatQuery({statement:String}))';
  return { sql, params: { statement: written.sql }, settings: settingsOf(limits) };
}

/** What the engine resolves the statement to; only for a statement whose syntax was examined. */
export function resolutionQuery(
  { written, params }: RawStatement,
  database: string | undefined,
  limits: Limits,
): CompiledQuery {
  return withPlace({ sql: `EXPLAIN QUERY TREE ${written.sql}`, params, settings: rawSettings(limits) }, database);
}

/** Columns `database`, `name`, `engine`, `engine_full` of those that exist. */
export function tableEnginesQuery(tables: readonly Required<NamedTable>[], limits: Limits): CompiledQuery {
  const params = {
    names: arrayOf(tables.map(({ table }) => table)),
    databases: arrayOf(tables.map(({ database }) => database)),
  };
  const sql = `SELECT database, name, engine, engine_full FROM system.tables
    WHERE database IN {databases:Array(String)} AND name IN {names:Array(String)}`;
  return { sql, params, settings: settingsOf(limits) };
}

function arrayOf(texts: readonly string[]): string {
  return `[${texts.map((text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`).join(',')}]`;
}

function rawSettings(limits: Limits): Record<string, string | number> {
  return {
    ...limits.settings,
    ...settingsOf(limits),
    // Names of queries and expressions that contain each other grow exponentially; the tenth of the usual limit.
    max_expanded_ast_elements: 50_000,
    date_time_output_format: 'iso',
  };
}

function withPlace(query: CompiledQuery, database: string | undefined): CompiledQuery {
  return database === undefined ? query : { ...query, database };
}

/** Throws `QueryTextError` for the first thing that a statement must not do. Answers the tables that it names. */
export function checkSyntax(
  statement: RawStatement,
  lines: readonly string[],
  databases: readonly string[] | undefined,
): SyntaxFindings['tables'] {
  const { problems, tables } = examineSyntax(lines, databases);
  const [problem] = problems;
  if (problem) throw problemAt(statement, problem.message, problem.name);
  return tables;
}

/** Throws `QueryTextError` if it resolves to anything that it must not read or call. */
export function checkResolution(statement: RawStatement, lines: readonly string[], databases: readonly string[]): void {
  const [name] = forbiddenInTree(lines, databases);
  if (name !== undefined) throw problemAt(statement, `${name} is not allowed`, name.split(/[ .]/).at(-1));
}

/** A table that reads something else than its own rows. */
export function forbiddenTable(statement: RawStatement, table: string): QueryTextError {
  return problemAt(
    statement,
    `${table} is a view or reads from elsewhere; only tables that hold their rows themselves can be read`,
    table,
  );
}

/** What the engine said of `parserQuery`; nothing when that statement is a query, but not one that is allowed. */
export function syntaxError(statement: RawStatement, said: string | undefined): QueryTextError {
  if (said === undefined)
    return problemAt(statement, 'FORMAT, INTO OUTFILE and the like are not allowed', 'format', 'into');
  const { message, at } = readSyntaxError(said, statement.written.sql);
  if (at === undefined) return new QueryTextError(message);
  const { length } = statement.template;
  const origin = statement.written.originOf(at) ?? { start: length, end: length };
  return new QueryTextError(message, origin.start, origin.end);
}

/** What the engine said, as an error of the person's text; `undefined` when the text is not the reason. */
export function objectionTo(
  statement: RawStatement,
  code: number | undefined,
  said: string,
): QueryTextError | undefined {
  const objection = readObjection(code, said, statement.written.sql);
  if (!objection) return undefined;
  return problemAt(statement, objection.message, objection.name);
}

/** At the first token of one of these names, if the person wrote one. */
function problemAt({ template }: RawStatement, message: string, ...names: (string | undefined)[]): QueryTextError {
  const wanted = names.flatMap((name) => (name === undefined ? [] : [name, name.split('.').at(-1) ?? '']));
  const lower = new Set(wanted.map((name) => name.toLowerCase()));
  const token = tokensOf(template).find(
    ({ kind, value }) => (kind === 'word' || kind === 'quotedName') && lower.has(value.toLowerCase()),
  );
  return new QueryTextError(message, token?.start, token?.end);
}
