/** The only file that quotes or escapes. User text comes here as a column name of the schema or as a LIKE pattern. */

/** A name in backticks. */
export function quoteName(name: string): string {
  if (!/[\\`]/.test(name)) return `\`${name}\``;
  return `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``;
}

/** Text that stands for itself in a LIKE pattern: `%`, `_` and `\` lose their meaning. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, (char) => `\\${char}`);
}
