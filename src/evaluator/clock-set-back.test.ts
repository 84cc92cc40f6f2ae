import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alertOf, minuteMs, newYearMs } from '../../test/support/alert-fixtures.ts';
import { type AlertStores, count, delayMs, EvaluatorProcess, FakeTileReader } from '../../test/support/alert-world.ts';
import { FakeAlertStore } from '../../test/support/fake-alert-store.ts';
import type { Clock } from '../kernel/clock.ts';
import { FakeClock } from '../kernel/fake-clock.ts';
import { setBackToleranceMs } from '../kernel/set-back-watch.ts';
import type { Alert } from '../resources/alerts/alert.ts';
import type { HistoryEntry } from './alert-state.ts';

const tenantId = 'tenant';
const dayMs = 24 * 60 * minuteMs;

/** What the program's clock says; time itself and timers are those of `time`. */
class WrongClock implements Clock {
  aheadMs = 0;
  readonly #time: FakeClock;

  constructor(time: FakeClock) {
    this.#time = time;
  }

  nowMs(): number {
    return this.#time.nowMs() + this.aheadMs;
  }

  after(delay: number, wake: () => void): () => void {
    return this.#time.after(delay, wake);
  }
}

class World {
  readonly time = new FakeClock();
  readonly clock = new WrongClock(this.time);
  readonly store = new FakeAlertStore();
  readonly reader = new FakeTileReader();
  /** Ends of windows that were evaluated after they had ended, while the clock was right. */
  readonly inTime: number[] = [];
  readonly stores: AlertStores = {
    leases: this.store,
    names: this.store,
    farAlerts: this.store.farAlerts,
    evaluations: {
      commit: async (evaluation) => {
        const outcome = await this.store.commit(evaluation);
        const { windowEndMs } = evaluation.history;
        if (outcome === 'committed' && windowEndMs <= this.time.nowMs() && this.clock.aheadMs <= setBackToleranceMs)
          this.inTime.push(windowEndMs);
        return outcome;
      },
      recordFailure: (failure) => this.store.recordFailure(failure),
    },
  };

  async add(parts: Partial<Alert> = {}): Promise<Alert> {
    const alert = alertOf(parts);
    await this.store.transaction((inside) => inside.insert(tenantId, alert, newYearMs + minuteMs));
    return alert;
  }

  /** Resolves when it has looked for the first time. */
  async start(): Promise<EvaluatorProcess> {
    const started = new EvaluatorProcess(this.stores, this.reader, this.clock);
    await this.time.advance(0);
    return started;
  }

  /** Oldest first. */
  async history(alert: Alert): Promise<HistoryEntry[]> {
    return (await this.store.listHistory(tenantId, alert.id, Number.POSITIVE_INFINITY)).toReversed();
  }
}

function acknowledgedAt(ms: number) {
  return { by: 'a', at: new Date(ms).toISOString() };
}

describe('a clock that was ahead and is set back does not silence alerts', () => {
  it('they are evaluated from the present time on, and the history says what happened', async () => {
    const world = new World();
    const alert = await world.add();
    const process = await world.start();
    await world.time.advance(3 * minuteMs + delayMs);
    world.clock.aheadMs = 365 * dayMs;
    await world.time.advance(2 * minuteMs);
    expect((await world.history(alert)).at(-1)?.windowEndMs).toBeGreaterThan(newYearMs + 364 * dayMs);
    world.clock.aheadMs = 0;
    await world.time.advance(3 * minuteMs);
    const history = await world.history(alert);
    expect(history.map(({ windowEndMs }) => (windowEndMs - newYearMs) / minuteMs)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(history[3]?.clockSetBackMs).toBeGreaterThan(364 * dayMs);
    expect(history.filter(({ clockSetBackMs }) => clockSetBackMs !== undefined)).toHaveLength(1);
    await process.stop();
  });

  it('also when the program was restarted in between, and what it left was leased', async () => {
    const world = new World();
    const alert = await world.add({ interval: '1h' });
    const wrong = await world.start();
    world.clock.aheadMs = 30 * dayMs;
    world.reader.answer = () => new Promise(() => {});
    await world.time.advance(minuteMs);
    wrong.kill();
    world.clock.aheadMs = 0;
    world.reader.answer = () => count(9);
    const process = await world.start();
    await world.time.advance(3 * 60 * minuteMs);
    expect(await world.store.find(tenantId, alert.id)).toMatchObject({ status: 'ALERT' });
    await process.stop();
  });

  it('what began to fire ahead of its time ends, repeats and is acknowledged by the present time', async () => {
    const world = new World();
    const alert = await world.add({ repeatInterval: '5m' });
    const process = await world.start();
    world.reader.answer = () => count(9);
    world.clock.aheadMs = 30 * dayMs;
    await world.time.advance(minuteMs);
    world.clock.aheadMs = 0;
    await world.time.advance(20 * minuteMs);
    const notified = (await world.history(alert)).flatMap(({ groups }) =>
      groups.flatMap(({ notified: reason }) => reason ?? []),
    );
    expect(notified).toEqual(['repeat', 'repeat', 'repeat', 'repeat']);
    expect(await world.store.setAcknowledged(tenantId, alert.id, acknowledgedAt(world.time.nowMs()))).toBe('done');
    expect(await world.store.find(tenantId, alert.id)).toMatchObject({ acknowledged: {} });
    await process.stop();
  });
});

it('each window is evaluated once after it has ended, or said to be skipped, however the clock is set', async () => {
  const stretch = fc.record({
    minutes: fc.integer({ min: 1, max: 45 }),
    aheadMinutes: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 90 }), fc.integer({ min: 1_000, max: 1_000_000 })),
    restart: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(stretch, { minLength: 1, maxLength: 6 }), async (stretches) => {
      const world = new World();
      const alert = await world.add();
      let process = await world.start();
      for (const { minutes, aheadMinutes, restart } of stretches) {
        world.clock.aheadMs = aheadMinutes * minuteMs;
        await world.time.advance(minutes * minuteMs);
        if (!restart) continue;
        await process.stop();
        process = await world.start();
      }
      world.clock.aheadMs = 0;
      await world.time.advance(setBackToleranceMs + 2 * minuteMs + delayMs);
      await process.stop();
      expect(new Set(world.inTime).size).toBe(world.inTime.length);
      const history = await world.history(alert);
      const nowMs = world.time.nowMs();
      const known = history.flatMap(({ windowEndMs, skippedWindows = 0 }) =>
        Array.from({ length: skippedWindows + 1 }, (_, index) => windowEndMs - index * minuteMs),
      );
      const ended = Array.from(
        { length: Math.floor((nowMs - delayMs - newYearMs) / minuteMs) },
        (_, i) => newYearMs + (i + 1) * minuteMs,
      );
      expect(known.toSorted((a, b) => a - b)).toEqual(ended);
    }),
    { numRuns: 30 },
  );
});
