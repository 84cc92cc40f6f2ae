/** Types whose values are ClickHouse literals with their own quotes, or are not parsed at all. */
const verbatim = new Set(['Array', 'Map', 'Tuple', 'Nested', 'Identifier']);

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r', '\0': '\\0' };

/**
 * ClickHouse reads a parameter as one TSV field: a tab or line break would end it, a backslash begins an escape.
 * Values of placeholders `{name:Array(…)}`, `Map`, `Tuple` are taken as they are.
 */
export function escapeParams(sql: string, params: Readonly<Record<string, string>>): Record<string, string> {
  const types = new Map<string, string>();
  for (const [, name = '', type = ''] of sql.matchAll(/\{\s*(\w+)\s*:\s*(\w+)/g)) types.set(name, type);
  const escaped = Object.entries(params).map(([name, value]) => {
    if (verbatim.has(types.get(name) ?? '')) return [name, value];
    return [name, value.replace(/[\\\t\n\r\0]/g, (character) => escapes[character] ?? character)];
  });
  return Object.fromEntries(escaped);
}
