import { expect, it } from 'vitest';
import { escapeParams } from './escape-params.ts';

it.each([
  ['{p:String}', 'a\tb\nc\\d\re\0f', 'a\\tb\\nc\\\\d\\re\\0f'],
  ['{ p : Nullable(String) }', '\\N', '\\\\N'],
  ['{p:UInt8}', '5', '5'],
  ['{p:Array(String)}', String.raw`['it\'s']`, String.raw`['it\'s']`],
  ['{p:Map(String, String)}', String.raw`{'a\\':'b'}`, String.raw`{'a\\':'b'}`],
  ['{p:Identifier}', 'a\\b', 'a\\b'],
])('%s: %j travels as %j', (placeholder, value, expected) => {
  expect(escapeParams(`SELECT ${placeholder}`, { p: value })).toEqual({ p: expected });
});
