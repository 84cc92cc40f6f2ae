import { NotTaken } from '../import-context.ts';
import { entryOf } from '../json-values.ts';

/** What becomes of a variable of the dashboard in a statement. */
export type StatementVariable =
  /** It is a variable here, too. */
  | { kind: 'variable'; name: string }
  /** It always has these values. */
  | { kind: 'fixed'; values: readonly string[] };

export interface StatementContext {
  variables: ReadonlyMap<string, StatementVariable>;
  /** What a table is written as. */
  tableText: (table: string) => string;
}

/** Macros that mean the same here. */
const sameMacros = new Set([
  ...['timeFilter', 'timeFilter_ms', 'dateFilter', 'dateTimeFilter', 'dt', 'timeInterval', 'timeInterval_ms'],
  ...['fromTime', 'toTime', 'fromTime_ms', 'toTime_ms', 'interval_s', 'conditionalAll'],
]);
const rangeSeconds = '(toUnixTimestamp($__toTime) - toUnixTimestamp($__fromTime))';
const otherMacros: Readonly<Record<string, string>> = {
  from: 'toUnixTimestamp64Milli($__fromTime_ms)',
  to: 'toUnixTimestamp64Milli($__toTime_ms)',
  'from:date:seconds': 'toUnixTimestamp($__fromTime)',
  'to:date:seconds': 'toUnixTimestamp($__toTime)',
  interval_ms: '($__interval_s * 1000)',
  range_s: rangeSeconds,
  range_ms: `(${rangeSeconds} * 1000)`,
  range: rangeSeconds,
};

// Every repetition has a limit, so that no text takes longer than its length.

const path = String.raw`[A-Za-z_][\w.]{0,200}(?:\['[^'\]]{0,200}'\])?`;
/** A column, an attribute of a map, or a function of one; not a part of a name or a macro. */
const operand = String.raw`(?<![\w$.])(?:[A-Za-z_]\w{0,60}\(\s{0,9}${path}\s{0,9}\)|${path})`;
const variableText = String.raw`(?:\$\{(\w{1,64})(?::\w{1,20})?\}|\$(\w{1,64})|\[\[(\w{1,64})(?::\w{1,20})?\]\])`;
const oneOf = new RegExp(String.raw`(${operand})\s{1,20}IN\s{0,20}\(\s{0,20}'?${variableText}'?\s{0,20}\)`, 'gi');
const equal = new RegExp(String.raw`(${operand})\s{0,20}=\s{0,20}'?${variableText}'?(?![\w'])`, 'g');

/**
 * A statement of Grafana's ClickHouse data source in the macros and variables of raw SQL tiles. What is compared with a
 * variable is compared only if it has a value: Grafana would write out all values there. Throws `NotTaken`.
 */
export function statementHere(sql: string, { variables, tableText }: StatementContext): string {
  const compared = sql
    .replaceAll(oneOf, (whole, left, ...names) => filterMacro(left, names.slice(0, 3), variables) ?? whole)
    .replaceAll(equal, (whole, left, ...names) => filterMacro(left, names.slice(0, 3), variables) ?? whole);
  const substituted = withVariables(compared, variables);
  return withTables(withMacros(substituted), tableText);
}

function filterMacro(left: string, names: unknown[], variables: ReadonlyMap<string, StatementVariable>) {
  const name = names.find((one) => typeof one === 'string');
  const variable = typeof name === 'string' ? variables.get(name) : undefined;
  if (variable?.kind !== 'variable' || /^(?:NOT|AND|OR|WHERE)$/i.test(left)) return undefined;
  return `$__filter(${left}, $${variable.name})`;
}

const reference = new RegExp(`'${variableText}'|${variableText}`, 'g');

function withVariables(sql: string, variables: ReadonlyMap<string, StatementVariable>): string {
  return sql.replaceAll(reference, (whole: string, ...names: (string | number | undefined)[]) => {
    const name = names.slice(0, 6).find((one): one is string => typeof one === 'string');
    const variable = name === undefined ? undefined : variables.get(name);
    if (!variable) return whole;
    const isQuoted = whole.startsWith("'");
    if (variable.kind === 'variable') {
      const form = formOf(whole);
      // A pattern is written with its quotes.
      return isQuoted && form !== ':regex' ? `'\${${variable.name}}'` : `\${${variable.name}${form}}`;
    }
    const { values } = variable;
    if (isQuoted || /:(?:sqlstring|singlequote)/.test(whole)) return values.map(quoted).join(', ');
    return values.join(', ');
  });
}

/** How the values are written: as names, as a pattern, or else as texts. */
function formOf(written: string): string {
  if (/:(?:csv|raw|text)\b/.test(written)) return ':csv';
  return /:regex\b/.test(written) ? ':regex' : '';
}

function quoted(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function withMacros(sql: string): string {
  return sql
    .replaceAll(/\$__adHocFilters\(\s{0,20}'[^']{0,500}'\s{0,20}\)/g, '$__filters')
    .replaceAll(/\$\{__(\w+(?::\w+)*)\}|\$__(\w+)/g, (whole, braced, bare) => {
      const name: string = braced ?? bare;
      if (sameMacros.has(name) || /^(?:filters?|sourceTable)$/.test(name)) return whole;
      const here = entryOf(otherMacros, name);
      if (here === undefined) throw new NotTaken(`Its statement uses ${whole}, for which there is no macro here.`);
      return here;
    });
}

const namePart = '(?:\\w{1,200}|`[^`]{1,200}`|"[^"]{1,200}")';
/** Not the name of a function. */
const tableName = new RegExp(
  String.raw`\b(FROM|JOIN)(\s{1,200})(${namePart}(?:\.${namePart})?)(?![\w.]{0,200}\s{0,20}\()`,
  'gi',
);

function withTables(sql: string, tableText: (table: string) => string): string {
  return sql.replaceAll(tableName, (_whole, word: string, space: string, table: string) => {
    return `${word}${space}${tableText(table.replaceAll(/[`"]/g, ''))}`;
  });
}

/** The tables that a statement reads, in their order. */
export function tablesOf(sql: string): string[] {
  return [...new Set([...sql.matchAll(tableName)].map(([, , , table = '']) => table.replaceAll(/[`"]/g, '')))];
}
