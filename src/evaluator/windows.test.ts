import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstWindowEndAfter, scheduleOf } from '../resources/alerts/alert.ts';
import { catchUpWindowsMax, dueWindows } from './windows.ts';

const at = (text: string): number => Date.parse(`2026-01-15T${text}Z`);

describe('U-115, decisions A5: windows end at multiples of the interval', () => {
  it.each([
    { interval: '1h', after: '10:17:00', end: '11:00:00', why: 'never 11:17' },
    { interval: '1h', after: '10:59:59', end: '11:00:00', why: 'the first that ends afterwards' },
    { interval: '1h', after: '11:00:00', end: '12:00:00', why: 'what ended at that very instant is over' },
    { interval: '5m', after: '10:17:00', end: '10:20:00', why: 'five minutes' },
    {
      interval: '7m',
      after: '00:00:00',
      end: '00:07:00',
      why: 'counted from the epoch, which began 20468 days before: a multiple of 7',
    },
    { interval: '1h', offset: 15, after: '10:17:00', end: '11:15:00', why: 'plus the offset' },
    { interval: '1h', offset: 15, after: '10:14:59', end: '10:15:00', why: 'plus the offset, just before' },
    {
      interval: '1h',
      start: '10:30:00',
      after: '10:17:00',
      end: '11:30:00',
      why: 'nothing begins before scheduleStartAt',
    },
    { interval: '1h', start: '10:30:00', after: '12:31:00', end: '13:30:00', why: 'counted from scheduleStartAt' },
  ])('$interval after $after → $end ($why)', ({ interval, offset, start, after, end }) => {
    const schedule = scheduleOf({
      interval,
      ...(offset !== undefined && { scheduleOffsetMinutes: offset }),
      ...(start !== undefined && { scheduleStartAt: `2026-01-15T${start}Z` }),
    });
    expect(new Date(firstWindowEndAfter(schedule, at(after)))).toEqual(new Date(at(end)));
  });

  it('1d windows end at midnight UTC', () => {
    const schedule = scheduleOf({ interval: '1d' });
    expect(firstWindowEndAfter(schedule, at('10:17:00'))).toBe(Date.UTC(2026, 0, 16));
  });
});

describe('the windows that are due', () => {
  const schedule = scheduleOf({ interval: '5m' });

  it('none before the first has ended', () => {
    expect(dueWindows(schedule, at('10:05:00'), at('10:04:59'))).toEqual([]);
  });

  it('one when it has just ended, half-open and one interval long', () => {
    expect(dueWindows(schedule, at('10:05:00'), at('10:05:00'))).toEqual([
      { startMs: at('10:00:00'), endMs: at('10:05:00'), skippedBefore: 0 },
    ]);
  });

  it('missed ones are caught up, oldest first', () => {
    const windows = dueWindows(schedule, at('10:05:00'), at('10:16:00'));
    expect(windows.map(({ endMs }) => endMs)).toEqual([at('10:05:00'), at('10:10:00'), at('10:15:00')]);
  });

  it('at most 50; the older ones are skipped and counted', () => {
    const windows = dueWindows(schedule, at('00:05:00'), at('10:00:00'));
    expect(windows).toHaveLength(catchUpWindowsMax);
    expect(windows.map(({ skippedBefore }) => skippedBefore)).toEqual([70, ...Array(49).fill(0)]);
    expect(windows.at(-1)?.endMs).toBe(at('10:00:00'));
  });

  it('windows touch, never overlap, and none is left out, for every schedule and pause', () => {
    const schedules = fc.record({
      interval: fc.integer({ min: 1, max: 600 }).map((minutes) => `${minutes}m`),
      scheduleOffsetMinutes: fc.integer({ min: 0, max: 1439 }),
    });
    const pauses = fc.array(fc.integer({ min: 0, max: 40 * 60_000 }), { maxLength: 20 });
    fc.assert(
      fc.property(schedules, pauses, (parts, waits) => {
        const generated = scheduleOf(parts);
        let nowMs = at('10:17:00');
        let nextMs = firstWindowEndAfter(generated, nowMs);
        const firstMs = nextMs;
        const ends: number[] = [];
        for (const waitMs of waits) {
          nowMs += waitMs;
          const windows = dueWindows(generated, nextMs, nowMs);
          ends.push(...windows.map(({ endMs }) => endMs));
          nextMs = (windows.at(-1)?.endMs ?? nextMs - generated.intervalMs) + generated.intervalMs;
        }
        expect(ends).toEqual(ends.map((_, index) => firstMs + index * generated.intervalMs));
        expect(nextMs).toBeGreaterThan(nowMs);
      }),
    );
  });
});
