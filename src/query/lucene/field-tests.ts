import type { Bound, MatchTest, Order, RangeEnd } from '../ast/text-expr.ts';
import { QueryTextError } from '../compiled-query.ts';
import type { Scanner } from './scanner.ts';

/** `>5`, `>=5`, `<"b"`, … behind a field's colon. */
export function readComparison(scanner: Scanner): MatchTest | undefined {
  const operator = (['>=', '<=', '>', '<'] as const satisfies readonly Order[]).find((sign) =>
    scanner.startsWith(sign),
  );
  if (!operator) return undefined;
  const start = scanner.at;
  scanner.at += operator.length;
  scanner.skipSpace();
  const bound = readBound(scanner, '');
  if (!bound) throw new QueryTextError(`a value is missing after ${operator}`, start, scanner.at);
  return { test: 'compare', operator, bound };
}

/** `[a TO b]`, `{a TO b}`, mixed brackets, `*` for an open end. */
export function readRange(scanner: Scanner): MatchTest | undefined {
  const start = scanner.at;
  const opening = scanner.peek();
  if (opening !== '[' && opening !== '{') return undefined;
  scanner.at++;
  scanner.skipSpace();
  const low = readBound(scanner, ']}');
  scanner.skipSpace();
  if (!low || !scanner.isKeyword('TO')) throw notARange(scanner, start);
  scanner.at += 2;
  scanner.skipSpace();
  const high = readBound(scanner, ']}');
  scanner.skipSpace();
  const closing = scanner.peek();
  if (!high) throw notARange(scanner, start);
  if (closing !== ']' && closing !== '}')
    throw new QueryTextError('missing "]" or "}" for this range', start, scanner.at);
  scanner.at++;
  return toRange(end(low, opening === '['), end(high, closing === ']'));
}

function toRange(low: RangeEnd | undefined, high: RangeEnd | undefined): MatchTest {
  if (!low && !high) return { test: 'exists' };
  return { test: 'range', ...(low ? { low } : {}), ...(high ? { high } : {}) };
}

function end(bound: Bound, inclusive: boolean): RangeEnd | undefined {
  return bound.text === '*' && !bound.quoted ? undefined : { bound, inclusive };
}

function notARange(scanner: Scanner, start: number): QueryTextError {
  const close = scanner.text.slice(start).search(/[\]}]/);
  const stop = close < 0 ? scanner.text.length : start + close + 1;
  return new QueryTextError('a range has the form [low TO high], with * for an open end', start, stop);
}

function readBound(scanner: Scanner, stops: string): Bound | undefined {
  const start = scanner.at;
  if (scanner.peek() === '"') return { text: scanner.quoted(), quoted: true, start, end: scanner.at };
  const text = scanner.pieces(stops).join('*');
  return text === '' ? undefined : { text, quoted: false, start, end: scanner.at };
}
