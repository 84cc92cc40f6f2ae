/** One piece of a pattern: a text, one character, or any number of them, within a folder or across folders. */
type Piece = { kind: 'text'; text: string } | { kind: 'one' | 'star' | 'globstar' };

const alternativesMax = 1_000;

export class GlobTooLargeError extends Error {}

/** Whether a pattern names one object only. */
export function isPlain(pattern: string): boolean {
  return !/[*?{]/.test(pattern);
}

/**
 * The patterns that `{a,b}` and `{1..3}` stand for.
 * @throws {GlobTooLargeError} for more than a thousand
 */
export function expandBraces(pattern: string): string[] {
  let done = [''];
  let rest = pattern;
  while (rest !== '') {
    const open = rest.indexOf('{');
    const close = open < 0 ? -1 : rest.indexOf('}', open);
    if (close < 0) return done.map((text) => text + rest);
    const choices = choicesOf(rest.slice(open + 1, close));
    const before = rest.slice(0, open);
    done = done.flatMap((text) => choices.map((choice) => text + before + choice));
    if (done.length > alternativesMax) throw new GlobTooLargeError();
    rest = rest.slice(close + 1);
  }
  return done;
}

function choicesOf(inside: string): string[] {
  const range = /^(\d{1,9})\.\.(\d{1,9})$/.exec(inside);
  if (!range) return inside.split(',');
  const [, first = '', last = ''] = range;
  const count = Number(last) - Number(first) + 1;
  if (count > alternativesMax) throw new GlobTooLargeError();
  // `{01..12}` keeps its zeros.
  const width = first.startsWith('0') ? first.length : 0;
  return Array.from({ length: Math.max(0, count) }, (_, index) => String(Number(first) + index).padStart(width, '0'));
}

/** What every name that matches begins with. */
export function literalPrefix(pattern: string): string {
  const special = pattern.search(/[*?{]/);
  return special < 0 ? pattern : pattern.slice(0, special);
}

/** Matches names against a pattern with `*` and `?` within a folder, `**` across folders, and braces. */
export function globMatcher(pattern: string): (name: string) => boolean {
  const alternatives = expandBraces(pattern).map(piecesOf);
  return (name) => alternatives.some((pieces) => matches(pieces, name));
}

function piecesOf(pattern: string): Piece[] {
  const parts = pattern.split(/(\*\*\/?|\*|\?)/);
  return parts.flatMap((part): Piece[] => {
    if (part === '') return [];
    if (part.startsWith('**')) return [{ kind: 'globstar' }];
    if (part === '*') return [{ kind: 'star' }];
    return [part === '?' ? { kind: 'one' } : { kind: 'text', text: part }];
  });
}

/** In time proportional to the product of both lengths, whatever the pattern. */
function matches(pieces: readonly Piece[], name: string): boolean {
  let reached = new Set([0]);
  for (const piece of pieces) {
    reached = after(piece, reached, name);
    if (reached.size === 0) return false;
  }
  return reached.has(name.length);
}

function after(piece: Piece, reached: ReadonlySet<number>, name: string): Set<number> {
  const next = new Set<number>();
  let spreading = false;
  if (piece.kind === 'text') {
    for (const at of reached) if (name.startsWith(piece.text, at)) next.add(at + piece.text.length);
    return next;
  }
  if (piece.kind === 'one') {
    for (const at of reached) if (at < name.length && name[at] !== '/') next.add(at + 1);
    return next;
  }
  for (let at = 0; at <= name.length; at++) {
    if (piece.kind === 'star' && at > 0 && name[at - 1] === '/') spreading = false;
    if (reached.has(at)) spreading = true;
    if (spreading) next.add(at);
  }
  return next;
}
