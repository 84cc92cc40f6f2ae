import { expect, it } from 'vitest';
import { parseInstant, parseInstantOrMs } from './instant.ts';

it.each([
  ['2026-01-01T00:00:00Z', Date.UTC(2026, 0, 1)],
  ['2026-01-01T01:00:00+01:00', Date.UTC(2026, 0, 1)],
  ['2026-01-01T00:00Z', Date.UTC(2026, 0, 1)],
  ['2026-01-01T00:00:00.123456789Z', Date.UTC(2026, 0, 1) + 123],
  ['2024-02-29T12:00:00-05:30', Date.UTC(2024, 1, 29, 17, 30)],
  ['2000-02-29T00:00:00Z', Date.UTC(2000, 1, 29)],
])('%s is an instant', (text, ms) => {
  expect(parseInstant(text)).toBe(ms);
});

it.each([
  '',
  'tomorrow',
  '2026-01-01',
  '2026-01-01T00:00:00',
  '2026-01-01 00:00:00Z',
  '2026-1-1T00:00:00Z',
  '2026-01-01T00:00:00Z ',
  '2026-01-01T25:00:00Z',
  '2026-01-01T00:60:00Z',
])('%j is none', (text) => {
  expect(parseInstant(text)).toBeUndefined();
});

it.each([
  '2026-02-29',
  '2026-02-30',
  '1900-02-29',
  '2026-04-31',
  '2026-13-01',
  '2026-00-10',
  '2026-01-00',
  '2026-01-32',
])('%s is no day of the calendar', (day) => {
  expect(parseInstant(`${day}T00:00:00Z`)).toBeUndefined();
  expect(parseInstant(`${day}T12:00:00+02:00`)).toBeUndefined();
});

it.each([
  ['1767225600000', Date.UTC(2026, 0, 1)],
  ['2026-01-01T00:00:00Z', Date.UTC(2026, 0, 1)],
  ['0', 0],
  ['9223372036854', 9_223_372_036_854],
  ['9223372036855', undefined],
  ['1969-12-31T23:59:59Z', undefined],
  ['-1', undefined],
  ['1e3', undefined],
  ['', undefined],
])('%j as milliseconds or a date is %j', (text, ms) => {
  expect(parseInstantOrMs(text)).toBe(ms);
});
