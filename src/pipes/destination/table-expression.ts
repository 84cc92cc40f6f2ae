import { quoteName, quoteText } from '../../kernel/sql-quoting.ts';
import { SqlTextError, SqlTokenReader } from './sql-tokens.ts';

/** Functions that keys and partitions are made of. */
const functions = new Set([
  ...['toYYYYMM', 'toYYYYMMDD', 'toDate', 'toDateTime', 'toDateTime64', 'toYear', 'toMonth', 'toDayOfMonth', 'toHour'],
  ...['toStartOfYear', 'toStartOfQuarter', 'toStartOfMonth', 'toStartOfWeek', 'toMonday', 'toStartOfDay'],
  ...['toStartOfHour', 'toStartOfMinute', 'toStartOfFifteenMinutes', 'toUnixTimestamp', 'toString', 'toUInt64'],
  ...['intDiv', 'modulo', 'cityHash64', 'sipHash64', 'xxHash64', 'lower', 'upper', 'substring', 'length', 'tuple'],
  ...['toIntervalSecond', 'toIntervalMinute', 'toIntervalHour', 'toIntervalDay', 'toIntervalWeek'],
  ...[
    'toIntervalMonth',
    'toIntervalQuarter',
    'toIntervalYear',
    'assumeNotNull',
    'ifNull',
    'coalesce',
    'fromUnixTimestamp',
  ],
]);
const intervals: Readonly<Record<string, string>> = Object.fromEntries(
  ['Second', 'Minute', 'Hour', 'Day', 'Week', 'Month', 'Quarter', 'Year'].flatMap((unit) => {
    const printed = `toInterval${unit}`;
    return [
      [unit.toUpperCase(), printed],
      [`${unit.toUpperCase()}S`, printed],
    ];
  }),
);
const depthMax = 10;

/**
 * An expression over columns, as keys, partitions and expiry need it, parsed and printed by us.
 * @throws {SqlTextError} what is wrong, to follow the path of the expression
 */
export function printedExpression(text: string, columns: ReadonlySet<string>): string {
  const reader = new SqlTokenReader(text);
  const printed = printList(reader, columns, 0);
  reader.expectEnd();
  return printed.length === 1 ? (printed[0] ?? '') : `(${printed.join(', ')})`;
}

function printList(reader: SqlTokenReader, columns: ReadonlySet<string>, depth: number): string[] {
  const items: string[] = [];
  do items.push(printSum(reader, columns, depth));
  while (reader.takes(','));
  return items;
}

function printSum(reader: SqlTokenReader, columns: ReadonlySet<string>, depth: number): string {
  if (depth > depthMax) throw new SqlTextError(`must not be nested more than ${depthMax} deep`);
  let printed = printTerm(reader, columns, depth);
  while (reader.takes('+')) printed = `${printed} + ${printTerm(reader, columns, depth)}`;
  return printed;
}

function printTerm(reader: SqlTokenReader, columns: ReadonlySet<string>, depth: number): string {
  if (reader.takes('(')) {
    const items = printList(reader, columns, depth + 1);
    reader.expect(')');
    return `(${items.join(', ')})`;
  }
  const { kind, value } = reader.next();
  if (kind === 'number') return value;
  if (kind === 'text') return quoteText(value);
  if (kind !== 'name') throw new SqlTextError('must be made of columns, functions and numbers');
  if (value.toUpperCase() === 'INTERVAL' && reader.peek().kind === 'number') return printInterval(reader);
  if (reader.takes('(')) return printCall(reader, value, columns, depth);
  const name = reader.takes('.') ? `${value}.${reader.next().value}` : value;
  if (!columns.has(name)) throw new SqlTextError(`names ${JSON.stringify(name)}, which is not a column of the table`);
  return quoteName(name);
}

function printCall(reader: SqlTokenReader, name: string, columns: ReadonlySet<string>, depth: number): string {
  if (!functions.has(name)) throw new SqlTextError(`calls ${JSON.stringify(name)}, which is not available here`);
  if (reader.takes(')')) return `${name}()`;
  const items = printList(reader, columns, depth + 1);
  reader.expect(')');
  return `${name}(${items.join(', ')})`;
}

function printInterval(reader: SqlTokenReader): string {
  const count = reader.next().value;
  const unit = intervals[reader.next().value.toUpperCase()];
  if (unit === undefined) throw new SqlTextError('must have a unit after its interval, such as INTERVAL 30 DAY');
  return `${unit}(${count})`;
}
