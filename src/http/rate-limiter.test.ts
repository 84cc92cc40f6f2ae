import { describe, expect, it } from 'vitest';
import { FakeClock } from '../kernel/fake-clock.ts';
import { RateLimiter } from './rate-limiter.ts';

const limit = { requests: 2, windowMs: 10_000 };

describe('RateLimiter (decisions F9)', () => {
  it('counts each key separately, in windows that begin with its first request', async () => {
    const clock = new FakeClock();
    const limiter = new RateLimiter(limit, clock);
    expect(limiter.take('a')).toEqual({ allowed: true, remaining: 1, resetSeconds: 10 });
    await clock.advance(4_500);
    expect(limiter.take('a')).toEqual({ allowed: true, remaining: 0, resetSeconds: 6 });
    expect(limiter.take('a')).toEqual({ allowed: false, remaining: 0, resetSeconds: 6 });
    expect(limiter.take('b').allowed).toBe(true);
    await clock.advance(5_500);
    expect(limiter.take('a').allowed).toBe(true);
  });

  it('forgets the eldest key when it knows too many', () => {
    const limiter = new RateLimiter({ requests: 1, windowMs: 10_000 }, new FakeClock(), 2);
    for (const key of ['a', 'b', 'c']) limiter.take(key);
    expect(limiter.take('c').allowed).toBe(false);
    expect(limiter.take('a').allowed).toBe(true);
  });
});
