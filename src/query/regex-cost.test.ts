import { describe, expect, it } from 'vitest';
import { checkRegex } from './check-regex.ts';
import { regexCost } from './regex-cost.ts';

const place = { start: 0, end: 1 };

describe('the size of a regular expression', () => {
  it.each([
    ['abc', 3],
    ['a{10}', 10],
    ['a{2,5}b', 6],
    ['a{3,}', 3],
    ['(ab){10}', 20],
    ['((a{10}){10}){10}', 1_000],
    ['(a|bc){4}d', 17],
    ['\\p{L}{5}', 50],
    ['[^a]{5}', 50],
    ['[a\\]b{9}]{5}', 5],
    ['\\d{1,3}\\.\\d{1,3}', 7],
    ['a{x}', 4],
    ['(a{5}', 5],
    ['a){5}', 5],
    ['', 0],
  ])('%s: %d', (regex, cost) => expect(regexCost(regex)).toBe(cost));

  it.each(['\\p{L}{0,100}'.repeat(70), '((((x{10}){10}){10}))'.repeat(40), '[^\\p{L}]{1000}', '(\\p{L}{30}){30}'])(
    'is limited: %s',
    (regex) => expect(() => checkRegex(regex, place)).toThrow('repeats too much'),
  );

  it('leaves room for what people write', () => {
    const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
    const addresses = '(?:\\d{1,3}\\.){3}\\d{1,3}:\\d{2,5}';
    for (const regex of [uuid, addresses, '^.{0,500}timeout', '(?i)\\b(?:error|fatal|panic)\\b.*$'])
      expect(checkRegex(regex, place)).toBe(regex);
  });
});
