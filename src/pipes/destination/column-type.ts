import { quoteName, quoteText } from '../../kernel/sql-quoting.ts';
import { SqlTextError, SqlTokenReader } from './sql-tokens.ts';

/** Types without arguments. */
const simple = new Set([
  ...[
    'Int8',
    'Int16',
    'Int32',
    'Int64',
    'Int128',
    'Int256',
    'UInt8',
    'UInt16',
    'UInt32',
    'UInt64',
    'UInt128',
    'UInt256',
  ],
  ...['Float32', 'Float64', 'BFloat16', 'Bool', 'String', 'Date', 'Date32', 'DateTime', 'UUID', 'IPv4', 'IPv6', 'JSON'],
]);
/** Types of types: the least and the most arguments. */
const nested: Readonly<Record<string, readonly [number, number]>> = {
  Array: [1, 1],
  Nullable: [1, 1],
  LowCardinality: [1, 1],
  Map: [2, 2],
};
/** The least and the largest number, per argument; the first must be there. */
const sized: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  FixedString: [[1, 65_535]],
  Decimal: [
    [1, 76],
    [0, 76],
  ],
  Decimal32: [[0, 9]],
  Decimal64: [[0, 18]],
  Decimal128: [[0, 38]],
  Decimal256: [[0, 76]],
};
const depthMax = 10;

/**
 * A column type, parsed and printed by us, so that no text of a user becomes SQL.
 * @throws {SqlTextError} what is wrong, to follow the path of the type
 */
export function printedColumnType(text: string): string {
  const reader = new SqlTokenReader(text);
  const printed = printType(reader, 0);
  reader.expectEnd();
  return printed;
}

function printType(reader: SqlTokenReader, depth: number): string {
  if (depth > depthMax) throw new SqlTextError(`must not be nested more than ${depthMax} deep`);
  const { kind, value: name } = reader.next();
  if (kind !== 'name') throw new SqlTextError('must be the name of a column type');
  const hasArguments = reader.peek().kind === 'sign' && reader.peek().value === '(';
  if (name === 'DateTime64') return printDateTime64(reader);
  if (name === 'DateTime' && hasArguments) return printDateTime(reader);
  if (simple.has(name) && !hasArguments) return name;
  if (name === 'Enum8' || name === 'Enum16') return printEnum(reader, name);
  if (name === 'Tuple') return printTuple(reader, depth);
  const count = Object.hasOwn(nested, name) ? nested[name] : undefined;
  if (count) return `${name}(${printList(reader, count, () => printType(reader, depth + 1))})`;
  const sizes = Object.hasOwn(sized, name) ? sized[name] : undefined;
  if (sizes) return printSized(reader, name, sizes);
  throw new SqlTextError(`has the type ${JSON.stringify(name)}, which a pipe cannot write`);
}

function printList(reader: SqlTokenReader, [min, max]: readonly [number, number], item: () => string): string {
  const items: string[] = [];
  reader.expect('(');
  do items.push(item());
  while (reader.takes(','));
  reader.expect(')');
  if (items.length < min || items.length > max) throw new SqlTextError(`must have ${min} to ${max} arguments`);
  return items.join(', ');
}

function printSized(reader: SqlTokenReader, name: string, sizes: readonly (readonly [number, number])[]): string {
  let at = 0;
  const printed = printList(reader, [1, sizes.length], () => {
    const [min, max] = sizes[at++] ?? [0, 0];
    return printInteger(reader, min, max);
  });
  return `${name}(${printed})`;
}

function printInteger(reader: SqlTokenReader, min: number, max: number): string {
  const { kind, value } = reader.next();
  const number = Number(value);
  if (kind === 'number' && Number.isInteger(number) && number >= min && number <= max) return String(number);
  throw new SqlTextError(`must have a whole number from ${min} to ${max}`);
}

function printDateTime(reader: SqlTokenReader): string {
  return `DateTime(${printList(reader, [1, 1], () => printTimeZone(reader))})`;
}

function printDateTime64(reader: SqlTokenReader): string {
  let at = 0;
  const printed = printList(reader, [1, 2], () => (at++ === 0 ? printInteger(reader, 0, 9) : printTimeZone(reader)));
  return `DateTime64(${printed})`;
}

function printTimeZone(reader: SqlTokenReader): string {
  const { kind, value } = reader.next();
  if (kind === 'text' && /^[A-Za-z0-9_+/-]{1,64}$/.test(value)) return quoteText(value);
  throw new SqlTextError("must have a time zone in quotes, such as 'UTC'");
}

function printEnum(reader: SqlTokenReader, name: string): string {
  const bound = name === 'Enum8' ? 128 : 32_768;
  const printed = printList(reader, [1, 1_000], () => {
    const { kind, value } = reader.next();
    if (kind !== 'text') throw new SqlTextError("must have values in quotes, such as 'new' = 1");
    return reader.takes('=') ? `${quoteText(value)} = ${printInteger(reader, 0, bound - 1)}` : quoteText(value);
  });
  return `${name}(${printed})`;
}

function printTuple(reader: SqlTokenReader, depth: number): string {
  const printed = printList(reader, [1, 200], () => {
    const follows = reader.peek(1);
    const isNamed = follows.kind === 'name';
    const name = isNamed ? `${quoteName(reader.next().value)} ` : '';
    return name + printType(reader, depth + 1);
  });
  return `Tuple(${printed})`;
}
