import type { Call } from '../ast/text-expr.ts';
import { intervalUnits } from './time-functions.ts';
import type { TokenReader } from './token-reader.ts';

/**
 * `INTERVAL 5 MINUTE`, `INTERVAL '5' MINUTE` or `INTERVAL '5 minutes'`, as a call of `toIntervalMinute`; `undefined`
 * where none begins, so that a column may have this name. Throws `QueryTextError` for one that is not complete.
 */
export function readInterval(tokens: TokenReader): Call | undefined {
  const { start } = tokens.peek();
  const after = tokens.peek(1).kind;
  if (!tokens.isWord('interval') || (after !== 'number' && after !== 'text')) return undefined;
  tokens.next();
  const amount = tokens.next();
  const [number = '', ownUnit] = amount.value.trim().split(/\s+/);
  const unit = unitOf(ownUnit ?? tokens.peek().value);
  if (!/^-?[0-9]{1,9}$/.test(number) || unit === undefined) {
    throw tokens.unexpected('an interval is expected here, like INTERVAL 5 MINUTE');
  }
  if (ownUnit === undefined) tokens.next();
  const { end } = tokens.peek(-1);
  const literal = { kind: 'literal', type: 'number', text: number } as const;
  const name = `toInterval${unit.charAt(0).toUpperCase()}${unit.slice(1)}`;
  return { kind: 'call', name, args: [{ ...literal, start: amount.start, end: amount.end }], start, end };
}

/** A unit of time as it may be written: `minute`, `MINUTES`. */
export function unitOf(word: string): string | undefined {
  const singular = word.toLowerCase().replace(/s$/, '');
  return intervalUnits.find((unit) => unit === singular);
}
