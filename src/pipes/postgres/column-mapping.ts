import { arrayElements } from './array-literal.ts';
import { escapeField, nullField } from './tab-separated.ts';

/** A type of PostgreSQL, with domains resolved. */
export interface SourceType {
  name: string;
  isEnum: boolean;
  /** Of arrays: what they hold. */
  element?: SourceType;
  /** Precision and scale, as the catalogue keeps them; -1 = none. */
  modifier: number;
}

/** How a type is stored, and how its texts are written there. */
export interface TypeMapping {
  type: string;
  /** What a snapshot selects instead of the column. */
  select?: (column: string) => string;
  /** Text of PostgreSQL → tab-separated field; absent = the text itself. */
  field?: (text: string) => string;
}

const plain: Readonly<Record<string, string>> = {
  bool: 'Bool',
  int2: 'Int16',
  int4: 'Int32',
  int8: 'Int64',
  oid: 'UInt32',
  float4: 'Float32',
  float8: 'Float64',
  uuid: 'UUID',
  date: 'Date32',
  timestamp: 'DateTime64(6)',
};
const decimalDigitsMax = 76;

/** Every type has a column type: what ClickHouse has no like of is stored as PostgreSQL's text. */
export function mappingOf(type: SourceType): TypeMapping {
  if (type.element) return arrayMapping({ ...type.element, modifier: type.modifier });
  const stored = plain[type.name];
  if (stored !== undefined) return { type: stored };
  if (type.name === 'timestamptz') {
    return {
      type: "DateTime64(6, 'UTC')",
      select: (column) => `${column} AT TIME ZONE 'UTC'`,
      field: (text) => text.replace(/[+-]00$/, ''),
    };
  }
  if (type.name === 'numeric') return { type: decimalOf(type.modifier) };
  return { type: type.isEnum ? 'LowCardinality(String)' : 'String' };
}

/** Without a precision, as much as there is room for on both sides of the point. */
function decimalOf(modifier: number): string {
  if (modifier < 4) return `Decimal(${decimalDigitsMax}, ${decimalDigitsMax / 2})`;
  const precision = ((modifier - 4) >> 16) & 0xffff;
  // Eleven bits with a sign, from PostgreSQL 15 on.
  const scale = (((modifier - 4) & 0x7ff) ^ 1024) - 1024;
  const digits = Math.max(precision - Math.min(scale, 0), scale);
  return digits > decimalDigitsMax ? 'String' : `Decimal(${digits}, ${Math.max(scale, 0)})`;
}

function arrayMapping(element: SourceType): TypeMapping {
  const { type, field = (text: string) => text } = mappingOf({ ...element, isEnum: false });
  const isQuoted = /^(String|UUID|Date)/.test(type);
  const item = (text: string) => (isQuoted ? quoted(field(text)) : field(text));
  return {
    type: `Array(Nullable(${type}))`,
    field: (literal) => {
      const elements = arrayElements(literal);
      // As it is, it does not fit, and is reported with its row.
      if (!elements) return escapeField(literal);
      return `[${elements.map((text) => (text === null ? 'NULL' : item(text))).join(',')}]`;
    },
  };
}

function quoted(text: string): string {
  return `'${escapeField(text).replaceAll("'", "\\'")}'`;
}

/** The field of a value; NULL becomes the default of a column that has none. */
export function fieldOf({ field }: TypeMapping, value: string | null): string {
  if (value === null) return nullField;
  return field ? field(value) : escapeField(value);
}
