import { expect, it } from 'vitest';
import { fieldOf, mappingOf, type SourceType } from './column-mapping.ts';

const type = (name: string, change: Partial<SourceType> = {}): SourceType => ({
  name,
  isEnum: false,
  modifier: -1,
  ...change,
});
/** As the catalogue keeps precision and scale. */
const digits = (precision: number, scale: number) => (precision << 16) + (scale & 0x7ff) + 4;

it.each([
  [type('int8'), 'Int64'],
  [type('numeric'), 'Decimal(76, 38)'],
  [type('numeric', { modifier: digits(12, 2) }), 'Decimal(12, 2)'],
  [type('numeric', { modifier: digits(2, 5) }), 'Decimal(5, 5)'],
  [type('numeric', { modifier: digits(3, -2) }), 'Decimal(5, 0)'],
  [type('numeric', { modifier: digits(100, 2) }), 'String'],
  [type('mood', { isEnum: true }), 'LowCardinality(String)'],
  [type('_mood', { element: type('mood', { isEnum: true }) }), 'Array(Nullable(String))'],
  [type('_numeric', { element: type('numeric'), modifier: digits(10, 1) }), 'Array(Nullable(Decimal(10, 1)))'],
  [type('geometry'), 'String'],
])('%j is stored as %s', (source, stored) => {
  expect(mappingOf(source).type).toBe(stored);
});

it.each([
  [type('text'), 'a\tb\n\\N', 'a\\tb\\n\\\\N'],
  [type('text'), null, '\\N'],
  [type('timestamptz'), '2026-01-02 03:04:05.678901+00', '2026-01-02 03:04:05.678901'],
  [type('_text', { element: type('text') }), `{"it's",NULL,"a\\\\b"}`, `['it\\'s',NULL,'a\\\\b']`],
  [type('_int4', { element: type('int4') }), '{1,NULL}', '[1,NULL]'],
  [type('_int4', { element: type('int4') }), '{{1}}', '{{1}}'],
])('a value of %j is written as the engine reads it', (source, value, field) => {
  expect(fieldOf(mappingOf(source), value)).toBe(field);
});
