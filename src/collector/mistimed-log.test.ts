import { describe, expect, it } from 'vitest';
import { FakeClock } from '../kernel/fake-clock.ts';
import { MistimedLog } from './mistimed-log.ts';

const minuteMs = 60_000;

describe('records with wrong times', () => {
  it('are counted by tenant, signal and direction', () => {
    const clock = new FakeClock();
    const log = new MistimedLog(clock);
    log.record('a', 'logs', { behind: 2, ahead: 0 });
    log.record('a', 'logs', { behind: 3, ahead: 1 });
    log.record('a', 'metrics', { behind: 0, ahead: 0 });
    log.record('b', 'traces', { behind: 0, ahead: 7 });
    const lastAtMs = clock.nowMs();
    expect(log.recent('a')).toEqual([
      { signal: 'logs', clock: 'behind', records: 5, lastAtMs },
      { signal: 'logs', clock: 'ahead', records: 1, lastAtMs },
    ]);
    expect(log.recent('b')).toEqual([{ signal: 'traces', clock: 'ahead', records: 7, lastAtMs }]);
    expect(log.recent('c')).toEqual([]);
  });

  it('are forgotten an hour after the last one, and counted anew then', async () => {
    const clock = new FakeClock();
    const log = new MistimedLog(clock);
    log.record('a', 'logs', { behind: 2, ahead: 0 });
    await clock.advance(59 * minuteMs);
    log.record('a', 'logs', { behind: 1, ahead: 0 });
    await clock.advance(59 * minuteMs);
    expect(log.recent('a')).toMatchObject([{ records: 3 }]);
    await clock.advance(minuteMs);
    expect(log.recent('a')).toEqual([]);
    log.record('a', 'logs', { behind: 4, ahead: 0 });
    expect(log.recent('a')).toMatchObject([{ records: 4 }]);
  });
});
