import { describe, expect, it } from 'vitest';
import { instantText } from '../../ui/instant-text.ts';
import {
  describeRange,
  isMoving,
  parseInstant,
  rangeProblems,
  refreshMsOf,
  resolveRange,
  shifted,
  zoomedOut,
} from './time-range.ts';

const nowMs = Date.UTC(2026, 10, 28, 12, 0, 0);

describe('parseInstant', () => {
  it.each([
    ['now', nowMs],
    ['now-15m', nowMs - 900_000],
    ['now - 2h', nowMs - 7_200_000],
    ['now-1w', nowMs - 604_800_000],
    ['1732752000000', 1_732_752_000_000],
    ['2026-11-28T10:00:00Z', nowMs - 7_200_000],
  ])('reads %s', (text, ms) => {
    expect(parseInstant(text, nowMs)).toBe(ms);
  });

  it.each(['', 'yesterday', 'now-', 'now-5y', 'now+5m', '12:30', '2026-99-99', '-5'])('does not read %j', (text) => {
    expect(parseInstant(text, nowMs)).toBeUndefined();
  });

  it('reads a day as it begins here, not in Greenwich', () => {
    expect(parseInstant('2026-11-28', nowMs)).toBe(new Date(2026, 10, 28).getTime());
  });

  it('reads what the pages write', () => {
    expect(parseInstant(instantText(nowMs + 7000), nowMs)).toBe(nowMs + 7000);
  });
});

describe('resolveRange', () => {
  it('is the range of the address of a notification', () => {
    expect(resolveRange({ from: '1000', to: '2000' }, nowMs)).toEqual({ startMs: 1000, endMs: 2000 });
  });

  it('is nothing when it ends before it starts', () => {
    expect(resolveRange({ from: 'now', to: 'now-1h' }, nowMs)).toBeUndefined();
    expect(resolveRange({ from: 'now', to: 'now' }, nowMs)).toBeUndefined();
  });
});

describe('rangeProblems', () => {
  it.each([
    [{ from: 'yesterday', to: 'now' }, { from: '“yesterday” can’t be read as a time.' }],
    [
      { from: '', to: '12:30' },
      { from: 'Required.', to: '“12:30” can’t be read as a time.' },
    ],
    [{ from: 'now', to: 'now-1h' }, { from: 'Must be before the end.' }],
    [{ from: 'now-1h', to: 'now' }, {}],
  ])('%j', (range, problems) => expect(rangeProblems(range, nowMs)).toEqual(problems));
});

describe('describeRange', () => {
  it('says relative ranges in words', () => {
    expect(describeRange({ from: 'now-1h', to: 'now' }, nowMs)).toBe('Last 1 hour');
    expect(describeRange({ from: 'now-90m', to: 'now' }, nowMs)).toBe('Last 90 minutes');
  });

  it('names the day once when both ends are in it', () => {
    const start = new Date(2026, 10, 28, 9, 0).getTime();
    expect(describeRange({ from: String(start), to: String(start + 600_000) }, nowMs)).toBe('2026-11-28 09:00 – 09:10');
  });

  it('asks for a range where there is none', () => {
    expect(describeRange({ from: 'x', to: 'now' }, nowMs)).toBe('Choose a range');
  });
});

describe('moving about', () => {
  it('knows which ranges move', () => {
    expect(isMoving({ from: 'now-1h', to: 'now' })).toBe(true);
    expect(isMoving({ from: '1', to: '2' })).toBe(false);
  });

  it('steps by its length', () => {
    expect(shifted({ startMs: 1000, endMs: 3000 }, -1)).toEqual({ from: '-1000', to: '1000' });
    expect(shifted({ startMs: 1000, endMs: 3000 }, 1)).toEqual({ from: '3000', to: '5000' });
  });

  it('does not zoom out into the future', () => {
    expect(zoomedOut({ startMs: 1000, endMs: 3000 }, 3500)).toEqual({ from: '0', to: '3500' });
  });

  it('refreshes only by known names', () => {
    expect(refreshMsOf('30s')).toBe(30_000);
    expect(refreshMsOf('1ms')).toBe(0);
    expect(refreshMsOf(undefined)).toBe(0);
  });
});
