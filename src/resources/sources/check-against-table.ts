import type { Problem } from '../../contract/problem.ts';
import { compileValue, compileWhere } from '../../query/compile-text.ts';
import { QueryTextError, textProblem } from '../../query/compiled-query.ts';
import type { Scope } from '../../query/schema/scope.ts';
import type { TableSchema } from '../../query/source-schema.ts';
import { readSelectList } from './select-list.ts';
import type { Source } from './source.ts';

/** Fields of a source that must name something in its table. */
const expressionKeys = [
  'serviceNameExpression',
  'severityTextExpression',
  'bodyExpression',
  'eventAttributesExpression',
  'resourceAttributesExpression',
  'implicitColumnExpression',
  'traceIdExpression',
  'spanIdExpression',
  'durationExpression',
  'parentSpanIdExpression',
  'spanNameExpression',
  'spanKindExpression',
  'statusCodeExpression',
  'statusMessageExpression',
  'sampleRateExpression',
] as const;

/** What of a source does not fit the table as it is right now; nothing is wrong when there is no problem. */
export function tableProblems(source: Source, table: TableSchema): Problem[] {
  const attributeColumns = attributeColumnsOf(source, table);
  const scope: Scope = { table, attributeColumns, capitalsAreColumns: true };
  return [
    ...timestampProblems(source, table),
    ...expressionKeys.flatMap((path) => {
      const text = textOf(source, path);
      return text.trim() === '' ? [] : textProblems(path, () => compileValue(text, scope));
    }),
    ...selectProblems(textOf(source, 'defaultTableSelectExpression'), scope),
    ...textProblems('tableFilterExpression', () => compileWhere(textOf(source, 'tableFilterExpression'), 'sql', scope)),
  ];
}

/** Columns of times, separated by commas; at least one must exist. */
function timestampProblems(source: Source, { columns }: TableSchema): Problem[] {
  const path = 'timestampValueExpression';
  const names = textOf(source, path)
    .split(',')
    .map((name) => name.trim().replace(/^(["`])(.*)\1$/, '$2'));
  if (names.some((name) => columns.get(name)?.startsWith('DateTime'))) return [];
  return [{ path, message: 'must name a time column of the table' }];
}

/** Each column on its own; positions count within it. */
function selectProblems(select: string, scope: Scope): Problem[] {
  return readSelectList(select).flatMap(({ text }) =>
    textProblems('defaultTableSelectExpression', () => compileValue(text, scope)),
  );
}

function textProblems(path: string, compile: () => unknown): Problem[] {
  try {
    compile();
    return [];
  } catch (error) {
    if (error instanceof QueryTextError) return [{ path, message: textProblem(error) }];
    throw error;
  }
}

function attributeColumnsOf(source: Source, table: TableSchema): string[] {
  const named = ['eventAttributesExpression', 'resourceAttributesExpression'].map((key) => textOf(source, key).trim());
  return named.filter((name) => table.columns.get(name)?.startsWith('Map('));
}

function textOf(source: Source, key: string): string {
  const text: unknown = new Map<string, unknown>(Object.entries(source)).get(key);
  return typeof text === 'string' ? text : '';
}
