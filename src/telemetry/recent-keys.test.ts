import { describe, expect, it } from 'vitest';
import { FakeClock } from '../kernel/fake-clock.ts';
import { RecentKeys } from './recent-keys.ts';

describe('RecentKeys', () => {
  it('remembers for the time that was asked for, and forgets after twice that time', async () => {
    const clock = new FakeClock();
    const keys = new RecentKeys(clock, 1_000, 100);
    await clock.advance(900);
    keys.add('a');
    await clock.advance(999);
    expect(keys.has('a')).toBe(true);
    await clock.advance(1_101);
    expect(keys.has('a')).toBe(false);
  });

  it('forgets all of a long pause', async () => {
    const clock = new FakeClock();
    const keys = new RecentKeys(clock, 1_000, 100);
    keys.add('a');
    await clock.advance(10_000);
    expect(keys.has('a')).toBe(false);
  });

  it('never holds more than it may, and always the latest half of that', () => {
    const keys = new RecentKeys(new FakeClock(), 1_000, 10);
    for (let at = 0; at < 100; at++) keys.add(String(at));
    const held = Array.from({ length: 100 }, (_, at) => at).filter((at) => keys.has(String(at)));
    expect(held.length).toBeLessThanOrEqual(10);
    expect(held).toEqual(expect.arrayContaining([95, 96, 97, 98, 99]));
  });
});
