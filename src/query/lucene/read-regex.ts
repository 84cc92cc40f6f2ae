import { checkRegex } from '../check-regex.ts';
import type { Scanner } from './scanner.ts';

/**
 * Reads `/…/` if that comes next; `\/` is a slash. A slash that closes nothing, or is followed by more of the word, is
 * part of a path: `/api/v1` is a word. Throws `QueryTextError` for what is not RE2.
 */
export function readRegex(scanner: Scanner): string | undefined {
  const { text, at: start } = scanner;
  if (scanner.peek() !== '/') return undefined;
  const close = closingSlash(text, start + 1);
  if (close === undefined || close === start + 1 || !endsWord(text[close + 1])) return undefined;
  scanner.at = close + 1;
  const regex = text.slice(start + 1, close).replaceAll('\\/', '/');
  return checkRegex(regex, { start, end: scanner.at });
}

function closingSlash(text: string, from: number): number | undefined {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '/') return at;
  }
  return undefined;
}

function endsWord(next: string | undefined): boolean {
  return next === undefined || ' \t\n\r)'.includes(next);
}
