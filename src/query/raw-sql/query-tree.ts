import { isAllowedFunction, tableFunctionNames } from './allowed-functions.ts';

/** Functions that the analyser adds. */
const ofAnalyser = new Set([
  '__actionname',
  '__scalarsubqueryresult',
  '__getscalar',
  '__grouping',
  'groupingordinary',
  'groupingforrollup',
  'groupingforcube',
  'groupingforgroupingsets',
  'getsubcolumn',
  'jointablecolumns',
]);

/** What a SELECT without FROM reads; written by a person, it has been rejected before. */
const noTable = 'system.one';

/**
 * What the engine's analyser resolved a statement to, views and functions of the operator included; the names that it
 * must not contain. An empty list = it reads the tenant's tables with allowed functions only.
 */
export function forbiddenInTree(lines: readonly string[], databases: readonly string[]): string[] {
  return lines.flatMap((line) => {
    const kind = line.trimStart().split(' ', 1)[0] ?? '';
    if (kind === 'TABLE') {
      const table = valueIn(line, 'table_name');
      const isOwn = table === noTable || databases.some((database) => table.startsWith(`${database}.`));
      return isOwn ? [] : [`the table ${table}`];
    }
    if (kind === 'TABLE_FUNCTION') {
      const name = valueIn(line, 'table_function_name');
      return tableFunctionNames.has(name.toLowerCase()) ? [] : [`the table function ${name}`];
    }
    if (kind !== 'FUNCTION') return [];
    const name = valueIn(line, 'function_name');
    return isAllowedFunction(name) || ofAnalyser.has(name.toLowerCase()) ? [] : [`the function ${name}`];
  });
}

/** Of `… name: value, …`; a table has no comma in its name, as no name of the statement may have one before a word and a colon. */
function valueIn(line: string, name: string): string {
  const mark = `, ${name}: `;
  const at = line.lastIndexOf(mark);
  return at < 0 ? '' : (line.slice(at + mark.length).split(', ', 1)[0] ?? '');
}
