/** `text` without the characters of `unwanted` at its end. A pattern such as `x+$` takes quadratic time on a long run. */
export function trimTrailing(text: string, unwanted: string): string {
  let end = text.length;
  while (end > 0 && unwanted.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
