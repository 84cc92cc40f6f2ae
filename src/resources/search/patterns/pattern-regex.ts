import { regexCost } from '../../../query/regex-cost.ts';
import { regexCostMax, regexLengthMax } from '../../../query/text-limits.ts';
import { wildcard } from './mask-text.ts';
import type { FoundPattern } from './pattern-tree.ts';

/**
 * The regular expression (RE2, anchored) of a pattern that matches exactly the texts that were found to have it:
 * `undefined` where texts of another of the patterns may match as well, where a text was read in part only, or where
 * there is none within the limits of regular expressions.
 */
export function regexOfPattern(
  { pattern, longest }: FoundPattern,
  all: readonly FoundPattern[],
  lengthMax: number,
): string | undefined {
  if (longest >= lengthMax || pattern.includes('\ufffd')) return undefined;
  const words = pattern.split(' ');
  const mayMeet = all.some((other) => other.pattern !== pattern && textsMayBeOfBoth(words, other.pattern.split(' ')));
  if (mayMeet) return undefined;
  const regex = `^\\s*${words.map(regexOfWord).join('\\s+')}\\s*$`;
  return regex.length > regexLengthMax || regexCost(regex) > regexCostMax ? undefined : regex;
}

function regexOfWord(word: string): string {
  return word.split(wildcard).map(literal).join('\\S+');
}

function literal(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
}

function textsMayBeOfBoth(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((word, at) => mayBeSame(word, other[at] ?? ''));
}

/** False only if no word can have both forms: what stands before the first wildcard or behind the last one differs. */
function mayBeSame(one: string, other: string): boolean {
  if (one === other) return true;
  const [a, b] = [endsOf(one), endsOf(other)];
  if (a.isWhole && b.isWhole) return false;
  const begins = a.start.startsWith(b.start) || b.start.startsWith(a.start);
  return begins && (a.end.endsWith(b.end) || b.end.endsWith(a.end));
}

function endsOf(word: string): { start: string; end: string; isWhole: boolean } {
  const parts = word.split(wildcard);
  return { start: parts[0] ?? '', end: parts.at(-1) ?? '', isWhole: parts.length === 1 };
}
