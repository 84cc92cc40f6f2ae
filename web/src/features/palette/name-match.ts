/** Longest part of a name, and of what is typed, that is compared. */
const comparedMax = 200;

const word = /[\p{L}\p{N}]+/gu;

/**
 * How well what is typed names something, or `undefined` if it does not; less is better. Each part between blanks must
 * be made of the beginnings of words, in their order (`chkd` and `d che` find “Checkout dashboard”), or be contained.
 */
export function rankOf(typed: string, name: string): number | undefined {
  const lowered = name.slice(0, comparedMax).toLowerCase();
  const wanted = typed.slice(0, comparedMax).trim().toLowerCase();
  if (lowered.startsWith(wanted)) return 0;
  const words = lowered.match(word) ?? [];
  const ranks = wanted.split(' ').map((part) => rankOfPart(part, lowered, words));
  return ranks.every((rank) => rank !== undefined) ? Math.max(...ranks) : undefined;
}

function rankOfPart(part: string, name: string, words: readonly string[]): number | undefined {
  if (words.some((each) => each.startsWith(part))) return 1;
  if (name.includes(part)) return 2;
  return startsOfWords(part, words) ? 3 : undefined;
}

/** Whether the part can be cut into beginnings of these words, in order but not of each. */
function startsOfWords(part: string, words: readonly string[]): boolean {
  let reached = new Set([0]);
  for (const each of words) {
    const next = new Set(reached);
    for (const from of reached) {
      for (let length = 1; each.slice(0, length) === part.slice(from, from + length); length++) {
        next.add(from + length);
        if (from + length >= part.length || length >= each.length) break;
      }
    }
    reached = next;
  }
  return reached.has(part.length);
}
