/** Escapes text for a LIKE pattern: `%`, `_` and `\` match literally. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, (char) => `\\${char}`);
}
