import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { afterAttempt as following, messageLifetimeMs, type Tried } from './retry-policy.ts';
import type { SendOutcome } from './webhook-sender.ts';

const createdAtMs = Date.UTC(2026, 0, 1);
const fresh = { createdAtMs, nowMs: createdAtMs, firstRetryMs: 1_000 };
/** Of one message to one receiver. */
const afterAttempt = (outcome: SendOutcome, tried: Omit<Tried, 'receiverFailures'>) =>
  following(outcome, { ...tried, receiverFailures: tried.attempts - 1 }).result;
const pauseOf = (result: ReturnType<typeof afterAttempt>) =>
  result.kind === 'retry' ? (result.nextAttemptMs ?? 0) - createdAtMs : result.kind;
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
      return Number(pauseOf(result)) / 1_000;
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
          const pauseMs = Number(pauseOf(result));
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

  it('U-43: another 4xx is a configuration problem and not tried again', () => {
    const refused = { ...serverError, recoverable: false, status: 400 };
    expect(afterAttempt(refused, { ...fresh, attempts: 1, jitter: 0 })).toEqual({
      kind: 'failed',
    });
  });
});

describe('a receiver that fails holds up all that is for it', () => {
  const tried = { ...fresh, attempts: 1, receiverFailures: 3, jitter: 0.5 };
  const retryAfterMs = 30_000;

  it.each([
    [{ status: 429, retryAfterMs }, 30, true],
    [{ status: 503, retryAfterMs }, 30, true],
    [{ status: 503 }, 8, true],
    [{ unreached: true }, 8, true],
    [{ status: 500 }, 8, false],
    [{ status: 408 }, 8, false],
    [{}, 8, false],
  ])('%j: nothing is sent to it for %i s; the message keeps its place: %s', (parts, seconds, keepsPlace) => {
    const resumeMs = createdAtMs + seconds * 1_000;
    expect(following({ kind: 'failed', recoverable: true, error: 'x', ...parts }, tried)).toEqual({
      result: { kind: 'retry', ...(!keepsPlace && { nextAttemptMs: resumeMs }) },
      receiver: { kind: 'fails', failures: 4, resumeMs },
    });
  });

  it('a receiver that answers is healthy, even if it rejects the message; an unsent message is no evidence', () => {
    expect(following({ kind: 'delivered', status: 200 }, tried).receiver).toEqual({ kind: 'answers' });
    const refused = { kind: 'failed', recoverable: false, error: 'x' } as const;
    expect(following({ ...refused, status: 400 }, tried).receiver).toEqual({ kind: 'answers' });
    expect(following(refused, tried).receiver).toBeUndefined();
  });
});
