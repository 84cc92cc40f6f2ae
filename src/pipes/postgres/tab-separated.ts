/** NULL in PostgreSQL's and ClickHouse's tab-separated texts. */
export const nullField = '\\N';

const special = /[\\\t\n\r\b\f\v\0]/;
const everySpecial = /[\\\t\n\r\b\f\v\0]/g;
const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\b': '\\b',
  '\f': '\\f',
  '\v': '\\v',
  '\0': '\\0',
};

export function escapeField(value: string): string {
  return special.test(value) ? value.replaceAll(everySpecial, (sign) => escapes[sign] ?? sign) : value;
}

const unescapes: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', b: '\b', f: '\f', v: '\v' };

/** A field of PostgreSQL's COPY text. */
export function unescapeField(field: string): string | null {
  if (field === nullField) return null;
  return field.includes('\\') ? field.replaceAll(/\\(.)/gs, (_, sign: string) => unescapes[sign] ?? sign) : field;
}
