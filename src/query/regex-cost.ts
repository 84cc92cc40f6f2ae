import { matchAt } from './match-at.ts';

/** What a class of letters of all languages counts, against a single character. */
const classCost = 10;

/**
 * How large a regular expression is once its repetitions are written out, in characters and classes. For any text: what
 * is wrong with it is found by the parser, which comes after this.
 */
export function regexCost(regex: string): number {
  const outer: number[] = [];
  let total = 0;
  let last = 0;
  for (let at = 0; at < regex.length; ) {
    const repeat = matchAt(/\{(\d+)(?:,(\d*))?\}/y, regex, at);
    if (repeat) {
      const times = Math.max(1, Number(repeat[1]), Number(repeat[2] ?? 0));
      total += last * (times - 1);
      last *= times;
      at += repeat[0].length;
    } else if (regex[at] === '(') {
      outer.push(total);
      [total, last] = [0, 0];
      at++;
    } else if (regex[at] === ')') {
      last = total;
      total += outer.pop() ?? 0;
      at++;
    } else {
      const atom = matchAt(/\\[pP](?:\{[^}]{0,40}\}|.)?|\\.|\[\^?\]?(?:\\.|\[:|[^\]\\])*\]?|./sy, regex, at)?.[0] ?? '';
      last = /\\[pP]|^\[\^/.test(atom) ? classCost : 1;
      total += last;
      at += Math.max(1, atom.length);
    }
  }
  return outer.reduce((sum, part) => sum + part, total);
}
