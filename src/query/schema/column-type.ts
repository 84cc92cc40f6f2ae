/** What the compiler needs to know of a ClickHouse type. */
export type BaseType = 'text' | 'integer' | 'float' | 'bool' | 'time' | 'interval' | 'map' | 'array' | 'other';

export interface ColumnType {
  readonly base: BaseType;
  readonly nullable: boolean;
  /** Type text of the elements of an array, of the values of a map. */
  readonly element?: string;
}

/** A type as people call it, with its article. */
export function typeName(base: BaseType): string {
  if (base === 'other') return 'a value of this type';
  return /^[aeiou]/.test(base) ? `an ${base}` : `a ${base}`;
}

const wrappers = ['LowCardinality(', 'Nullable(', 'SimpleAggregateFunction('];
const parsed = new Map<string, ColumnType>();

/** Reads a type as the database prints it, `LowCardinality(Nullable(String))` and the like. */
export function columnType(text: string): ColumnType {
  let type = parsed.get(text);
  if (!type) {
    type = parseType(text, false);
    if (parsed.size < 1_000) parsed.set(text, type);
  }
  return type;
}

function parseType(text: string, nullable: boolean): ColumnType {
  const wrapper = wrappers.find((name) => text.startsWith(name));
  if (wrapper) {
    const inner = insideParentheses(text);
    const last = wrapper.startsWith('Simple') ? inner.slice(inner.indexOf(',') + 1).trim() : inner;
    return parseType(last, nullable || wrapper === 'Nullable(');
  }
  if (text.startsWith('Map(')) return { base: 'map', nullable, element: mapValueType(insideParentheses(text)) };
  if (text.startsWith('Array(')) return { base: 'array', nullable, element: insideParentheses(text) };
  return { base: scalarBase(text), nullable };
}

function scalarBase(text: string): BaseType {
  if (/^(String|FixedString|Enum|UUID|IPv[46])/.test(text)) return 'text';
  if (/^U?Int(8|16|32|64|128|256)$/.test(text)) return 'integer';
  if (/^(Float|BFloat|Decimal)/.test(text)) return 'float';
  if (text === 'Bool') return 'bool';
  return /^DateTime/.test(text) ? 'time' : 'other';
}

function insideParentheses(text: string): string {
  return text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'));
}

/** The part after the comma that separates key from value; a key type may hold commas only in parentheses. */
function mapValueType(inner: string): string {
  let depth = 0;
  for (let at = 0; at < inner.length; at++) {
    if (inner[at] === '(') depth++;
    else if (inner[at] === ')') depth--;
    else if (inner[at] === ',' && depth === 0) return inner.slice(at + 1).trim();
  }
  return 'String';
}
