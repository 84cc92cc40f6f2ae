import { describe, expect, it } from 'vitest';
import { delay } from './clock.ts';
import { FakeClock } from './fake-clock.ts';

describe('delay', () => {
  it('resolves when its time has come, not before', async () => {
    const clock = new FakeClock();
    let done = false;
    const waiting = delay(clock, 1000).then(() => {
      done = true;
    });
    await clock.advance(999);
    expect(done).toBe(false);
    await clock.advance(1);
    await waiting;
    expect(done).toBe(true);
  });

  it('resolves immediately when aborted, before or while it waits', async () => {
    const clock = new FakeClock();
    await delay(clock, 1000, AbortSignal.abort());
    const abort = new AbortController();
    const waiting = delay(clock, 1000, abort.signal);
    abort.abort();
    await waiting;
  });
});
