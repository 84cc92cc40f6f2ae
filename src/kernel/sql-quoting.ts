/** The only file that quotes SQL: for ClickHouse, and for the conditions of users, which read the same way. */

/** A string literal. */
export function quoteText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** An identifier in backticks. */
export function quoteName(name: string): string {
  if (!/[\\`]/.test(name)) return `\`${name}\``;
  return `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``;
}
