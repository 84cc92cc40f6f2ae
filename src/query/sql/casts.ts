import type { TokenReader } from './token-reader.ts';

/** `CAST(x AS Float64)`, `x::Float64`: each type is a function of the allow-list; `Nullable(…)` changes nothing. */
const casts = new Map(
  [
    ...['Float64', 'Float32', 'Int64', 'Int32', 'Int16', 'Int8', 'UInt64', 'UInt32', 'UInt16', 'UInt8'].map(
      (type) => [type, `to${type}OrNull`] as const,
    ),
    ['String', 'toString'] as const,
    ['DateTime', 'toDateTime'] as const,
    ['Date', 'toDate'] as const,
  ].map(([type, name]) => [type.toLowerCase(), name]),
);
const nearNames = new Map([
  ['double', 'float64'],
  ['float', 'float32'],
  ['int', 'int32'],
  ['integer', 'int32'],
  ['bigint', 'int64'],
  ['text', 'string'],
  ['varchar', 'string'],
  ['timestamp', 'datetime'],
]);
const right = 'a type is expected here: Float64, Int64, UInt64 (or 32, 16, 8 bits of these), String, DateTime or Date';

/** Reads the name of a type and answers the function that converts to it. Throws `QueryTextError` for any other type. */
export function readCastType(tokens: TokenReader): string {
  if (tokens.isWord('nullable') && tokens.isSign('(', 1)) {
    tokens.next();
    tokens.next();
    const name = readCastType(tokens);
    tokens.expectSign(')', 'a ")" is missing');
    return name;
  }
  const { kind, value } = tokens.peek();
  const type = value.toLowerCase();
  const name = kind === 'name' || kind === 'text' ? casts.get(nearNames.get(type) ?? type) : undefined;
  if (name === undefined) throw tokens.unexpected(right);
  tokens.next();
  return name;
}
