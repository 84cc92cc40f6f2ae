import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { afterAttempt, messageLifetimeMs } from './retry-policy.ts';

const createdAtMs = Date.UTC(2026, 0, 1);
const fresh = { createdAtMs, nowMs: createdAtMs, firstRetryMs: 1_000 };
const serverError = { kind: 'failed', recoverable: true, error: 'The receiver answered 500.', status: 500 } as const;

describe('decisions A8: after about 1 s, 2 s, 4 s … up to 5 min, with jitter, for 24 h', () => {
  it.each([
    [1, 1],
    [2, 2],
    [3, 4],
    [4, 8],
    [9, 256],
    [10, 300],
    [400, 300],
  ])('try %i fails → again after about %i s', (attempts, seconds) => {
    const result = afterAttempt(serverError, { ...fresh, attempts, jitter: 0.5 });
    expect(result).toEqual({ kind: 'retry', nextAttemptMs: createdAtMs + seconds * 1_000 });
  });

  it('U-44: the first pause can be set; the longest stays 5 min', () => {
    const pauses = [1, 2, 3, 40].map((attempts) => {
      const result = afterAttempt(serverError, { ...fresh, firstRetryMs: 5_000, attempts, jitter: 0.5 });
      return result.kind === 'retry' ? (result.nextAttemptMs - createdAtMs) / 1_000 : result.kind;
    });
    expect(pauses).toEqual([5, 10, 20, 300]);
  });

  it('jitter stays between 75 % and 125 %', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        fc.integer({ min: 1, max: 8 }),
        (jitter, attempts) => {
          const result = afterAttempt(serverError, { ...fresh, attempts, jitter });
          const pauseMs = result.kind === 'retry' ? result.nextAttemptMs - createdAtMs : 0;
          const plainMs = 1_000 * 2 ** (attempts - 1);
          return pauseMs >= 0.75 * plainMs && pauseMs <= 1.25 * plainMs;
        },
      ),
    );
  });

  it('Retry-After is honoured when it asks for more', () => {
    const tried = { ...fresh, attempts: 1, jitter: 0.5 };
    const result = afterAttempt({ ...serverError, retryAfterMs: 60_000 }, tried);
    expect(result).toEqual({ kind: 'retry', nextAttemptMs: createdAtMs + 60_000 });
  });

  it('is given up after a day', () => {
    const nowMs = createdAtMs + messageLifetimeMs;
    expect(afterAttempt(serverError, { ...fresh, attempts: 300, nowMs, jitter: 0.5 })).toEqual({ kind: 'failed' });
  });

  it('U-43: another 4xx is a fault of configuration and not tried again', () => {
    const refused = { ...serverError, recoverable: false, status: 400 };
    expect(afterAttempt(refused, { ...fresh, attempts: 1, jitter: 0 })).toEqual({
      kind: 'failed',
    });
  });
});
