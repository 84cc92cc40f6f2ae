import { describe, expect, it } from 'vitest';
import { formatEventTime, instantNs, readProblem, timeOfDay, toneOfLevel } from './event-text.ts';

describe('toneOfLevel', () => {
  it.each([
    ['ERROR', 'error'],
    ['Fatal', 'error'],
    ['STATUS_CODE_ERROR', 'error'],
    ['warn', 'warning'],
    ['WARNING', 'warning'],
    ['info', 'info'],
    ['trace', 'debug'],
    ['Ok', 'ok'],
    ['Unset', 'none'],
    ['', 'none'],
  ])('%s is %s', (level, tone) => {
    expect(toneOfLevel(level)).toBe(tone);
  });
});

describe('times', () => {
  it.each([
    ['2026-11-28T06:07:41.863000000Z', '.863'],
    ['2026-11-28T06:07:41.863120000Z', '.863120'],
    ['2026-11-28T06:07:41.863120001Z', '.863120001'],
    ['2026-11-28T06:07:41Z', '.000'],
  ])('%s ends with %s', (iso, end) => {
    expect(formatEventTime(iso)).toMatch(new RegExp(`:41\\${end}$`));
  });

  it('keeps every nanosecond', () => {
    const first = instantNs('2026-11-28T06:07:41.863000001Z');
    const second = instantNs('2026-11-28T06:07:41.863000002Z');
    expect((second ?? 0n) - (first ?? 0n)).toBe(1n);
    expect(instantNs('yesterday')).toBeUndefined();
  });
});

describe('readProblem', () => {
  it('finds place, reason and position', () => {
    expect(readProblem('where: missing ")" for this parenthesis (at position 8)')).toEqual({
      path: 'where',
      message: 'Missing ")" for this parenthesis',
      position: 8,
    });
    expect(readProblem('where: is too long')).toEqual({ path: 'where', message: 'Is too long' });
    expect(readProblem('The engine is away.')).toBeUndefined();
  });
});

it('writes the time of day to the millisecond where there is little room', () => {
  expect(timeOfDay(new Date(2026, 10, 28, 9, 5, 7, 123).toISOString())).toBe('09:05:07.123');
});

it('says which times can’t be read', () => {
  expect(formatEventTime('yesterday')).toBe('unreadable time yesterday');
  expect(formatEventTime('')).toBe('unreadable time');
  expect(timeOfDay('yesterday')).toBe('unreadable time');
});
