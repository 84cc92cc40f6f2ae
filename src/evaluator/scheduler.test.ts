import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alertOf, minuteMs, newYearMs } from '../../test/support/alert-fixtures.ts';
import {
  type AlertStores,
  count,
  delayMs,
  EvaluatorProcess,
  FakeTileReader,
  queryError,
} from '../../test/support/alert-world.ts';
import { FakeAlertStore } from '../../test/support/fake-alert-store.ts';
import type { Clock } from '../kernel/clock.ts';
import { FakeClock } from '../kernel/fake-clock.ts';
import type { Alert, Watched } from '../resources/alerts/alert.ts';

const tenantId = 'tenant';

class World {
  readonly clock = new FakeClock();
  readonly store = new FakeAlertStore();
  readonly reader = new FakeTileReader();
  readonly committed: string[] = [];
  readonly stores: AlertStores = {
    leases: this.store,
    names: this.store,
    evaluations: {
      commit: async (evaluation) => {
        const outcome = await this.store.commit(evaluation);
        if (outcome === 'committed') this.committed.push(`${evaluation.alertId} ${evaluation.history.windowEndMs}`);
        return outcome;
      },
      recordFailure: (failure) => this.store.recordFailure(failure),
    },
  };

  /** Resolves when it has looked for the first time. */
  async start(): Promise<EvaluatorProcess> {
    const started = new EvaluatorProcess(this.stores, this.reader, this.clock);
    await this.clock.advance(0);
    return started;
  }

  async add(parts: Partial<Alert> = {}): Promise<Alert> {
    const alert = alertOf(parts);
    await this.store.transaction((inside) => inside.insert(tenantId, alert, newYearMs + minuteMs));
    return alert;
  }

  async evaluatedEnds(alert: Alert): Promise<number[]> {
    const history = await this.store.listHistory(tenantId, alert.id, 1_000);
    return history.map(({ windowEndMs }) => windowEndMs).toReversed();
  }
}

describe('decisions A5: when windows are evaluated', () => {
  it('the delay for late rows after the end, not earlier', async () => {
    const world = new World();
    const alert = await world.add();
    const process = await world.start();
    await world.clock.advance(minuteMs + delayMs - 1);
    expect(await world.evaluatedEnds(alert)).toEqual([]);
    await world.clock.advance(1);
    expect(await world.evaluatedEnds(alert)).toEqual([newYearMs + minuteMs]);
    await process.stop();
  });

  it('an idle evaluator looks rarely: no busy loop', async () => {
    const world = new World();
    let looks = 0;
    const { nextDueMs } = world.store;
    world.stores.leases = {
      claimDue: (claim) => world.store.claimDue(claim),
      release: (...parts) => world.store.release(...parts),
      nextDueMs: (nowMs) => {
        looks++;
        return nextDueMs.call(world.store, nowMs);
      },
    };
    const process = await world.start();
    await world.clock.advance(60 * minuteMs);
    expect(looks).toBeLessThanOrEqual(60 * 4 + 1);
    await process.stop();
  });

  it('windows missed while no evaluator ran are caught up, at most 50', async () => {
    const world = new World();
    const alert = await world.add();
    await world.clock.advance(80 * minuteMs + delayMs);
    const process = await world.start();
    const ends = await world.evaluatedEnds(alert);
    expect(ends).toEqual(Array.from({ length: 50 }, (_, index) => newYearMs + (31 + index) * minuteMs));
    expect((await world.store.listHistory(tenantId, alert.id, 100)).at(-1)?.skippedWindows).toBe(30);
    await process.stop();
  });
});

describe('what is counted of evaluations', () => {
  function counting(world: World): string[] {
    const counted: string[] = [];
    const note = (...parts: unknown[]) => {
      if (parts.at(-1) !== 0) counted.push(parts.join(' '));
    };
    world.stores.metrics = {
      ended: (result, evaluations) => note(result, evaluations),
      lagged: (lagMs, evaluations) => note('lag', lagMs, evaluations),
      missed: (windows) => note('missed', windows),
    };
    return counted;
  }

  it('each by its result, with the lag since its window was due', async () => {
    const world = new World();
    const counted = counting(world);
    await world.add();
    await world.clock.advance(minuteMs + delayMs + 1_500);
    const process = await world.start();
    expect(counted).toEqual(['evaluated 1', 'lag 1500 1']);
    world.reader.answer = () => queryError;
    await world.clock.advance(minuteMs);
    expect(counted.slice(2)).toEqual(['QUERY_ERROR 1']);
    await process.stop();
  });

  it('windows that are never evaluated', async () => {
    const world = new World();
    const counted = counting(world);
    await world.add();
    await world.clock.advance(80 * minuteMs + delayMs);
    const process = await world.start();
    expect(counted.filter((each) => each.startsWith('missed'))).toEqual(['missed 30']);
    expect(counted.filter((each) => each === 'evaluated 1')).toHaveLength(50);
    await process.stop();
  });

  it('what someone else evaluated, and what could not be stored', async () => {
    const world = new World();
    const counted = counting(world);
    await world.add();
    const answers = ['superseded', 'broken'].values();
    world.stores.evaluations.commit = async () => {
      if (answers.next().value === 'superseded') return 'superseded';
      throw new Error('the disk is full');
    };
    await world.clock.advance(minuteMs + delayMs);
    const process = await world.start();
    await world.clock.advance(2 * minuteMs);
    expect(counted.slice(0, 2)).toEqual(['superseded 1', 'notStored 1']);
    await process.stop();
  });
});

/** A clock that can be set, as a time server or an operator does; timers are not affected. */
class SetClock implements Clock {
  offsetMs = 0;
  readonly #inner: Clock;

  constructor(inner: Clock) {
    this.#inner = inner;
  }

  nowMs(): number {
    return this.#inner.nowMs() + this.offsetMs;
  }

  after(delay: number, wake: () => void): () => void {
    return this.#inner.after(delay, wake);
  }
}

describe('decisions A5: a clock that is set', () => {
  const endsUpTo = (minutes: number) =>
    Array.from({ length: minutes }, (_, index) => newYearMs + (index + 1) * minuteMs);

  it('forward: the windows in between are evaluated, once', async () => {
    const world = new World();
    const alert = await world.add();
    const clock = new SetClock(world.clock);
    const process = new EvaluatorProcess(world.stores, world.reader, clock);
    await world.clock.advance(minuteMs + delayMs);
    clock.offsetMs = 10 * minuteMs;
    await world.clock.advance(minuteMs);
    expect(await world.evaluatedEnds(alert)).toEqual(endsUpTo(12));
    await process.stop();
  });

  it('backward: nothing is evaluated again, and evaluation resumes once the clock has caught up', async () => {
    const world = new World();
    const alert = await world.add();
    const clock = new SetClock(world.clock);
    const process = new EvaluatorProcess(world.stores, world.reader, clock);
    await world.clock.advance(10 * minuteMs + delayMs);
    clock.offsetMs = -5 * minuteMs;
    await world.clock.advance(5 * minuteMs);
    expect(await world.evaluatedEnds(alert)).toEqual(endsUpTo(10));
    expect(world.reader.windowEnds).toHaveLength(10);
    await world.clock.advance(2 * minuteMs);
    expect(await world.evaluatedEnds(alert)).toEqual(endsUpTo(12));
    await process.stop();
  });
});

const tileOf = (watched: Watched) => (watched.kind === 'tile' ? watched.tileId : undefined);

describe('U-25: one alert does not stop the others', () => {
  it('a source that never answers delays its own alerts only, and is cut off', async () => {
    const world = new World();
    const [stuck, fine] = [await world.add({ tileId: 'stuck' }), await world.add()];
    world.reader.answer = ({ watched }) => (tileOf(watched) === 'stuck' ? new Promise(() => {}) : count(7));
    const process = await world.start();
    await world.clock.advance(minuteMs + delayMs);
    expect(await world.store.find(tenantId, fine.id)).toMatchObject({ status: 'ALERT' });
    await world.clock.advance(35_000);
    expect(await world.store.find(tenantId, stuck.id)).toMatchObject({
      status: 'OK',
      executionErrors: [{ type: 'QUERY_TIMEOUT' }],
    });
    process.kill();
  });

  it('a reader that throws leaves a fixed text on the alert, and the cause in the log only', async () => {
    const world = new World();
    const [broken, fine] = [await world.add({ tileId: 'broken' }), await world.add()];
    world.reader.answer = ({ watched }) => {
      if (tileOf(watched) === 'broken') throw new Error('SELECT secret');
      return count(7);
    };
    const process = await world.start();
    await world.clock.advance(minuteMs + delayMs);
    const found = await world.store.find(tenantId, broken.id);
    expect(found?.executionErrors).toMatchObject([{ type: 'UNKNOWN', message: 'The alert could not be evaluated.' }]);
    expect(await world.store.find(tenantId, fine.id)).toMatchObject({ status: 'ALERT' });
    expect(process.logger.lines.some(({ level }) => level === 'error')).toBe(true);
    await process.stop();
  });

  it('a failed window is tried again a minute later and then evaluated', async () => {
    const world = new World();
    const alert = await world.add({ interval: '5m' });
    world.reader.answer = () => queryError;
    const process = await world.start();
    await world.clock.advance(minuteMs + delayMs);
    expect(await world.store.find(tenantId, alert.id)).toMatchObject({ executionErrors: [{ type: 'QUERY_ERROR' }] });
    world.reader.answer = () => count(7);
    await world.clock.advance(minuteMs);
    expect(await world.store.find(tenantId, alert.id)).toMatchObject({ status: 'ALERT', executionErrors: [] });
    expect(world.reader.windowEnds).toEqual([newYearMs + minuteMs, newYearMs + minuteMs]);
    await process.stop();
  });
});

describe('alerts that evaluate the same windows of the same tile', () => {
  const alike = { dashboardId: 'd1', tileId: 't1', threshold: 5 };

  it('are evaluated by one reading, each by its own rule and from its own state', async () => {
    const world = new World();
    const alerts = [await world.add(alike), await world.add({ ...alike, threshold: 9 }), await world.add(alike)];
    world.reader.answer = () => count(7);
    const process = await world.start();
    await world.clock.advance(minuteMs + delayMs);
    const found = await Promise.all(alerts.map(({ id }) => world.store.find(tenantId, id)));
    expect(found.map((each) => each?.status)).toEqual(['ALERT', 'OK', 'ALERT']);
    expect(world.reader.windowEnds).toEqual([newYearMs + minuteMs]);
    await process.stop();
  });

  it('are read apart when interval, tile or the next window is another', async () => {
    const world = new World();
    await world.add(alike);
    await world.add({ ...alike, interval: '5m' });
    await world.add({ ...alike, tileId: 't2' });
    const process = await world.start();
    await world.clock.advance(minuteMs + delayMs);
    expect(world.reader.windowEnds).toHaveLength(3);
    await process.stop();
  });

  it('do not stop each other: one can’t be evaluated, one can’t be written, one was changed meanwhile', async () => {
    const world = new World();
    const broken = await world.add(alike);
    const unwritten = await world.add(alike);
    const changed = await world.add(alike);
    const fine = await world.add(alike);
    const { claimDue } = world.store;
    world.stores.leases = {
      claimDue: async (claim) => {
        const claimed = await claimDue.call(world.store, claim);
        const unreadable = { status: 'OK', groups: [null] } as never;
        return claimed.map((each) => (each.alert.id === broken.id ? { ...each, state: unreadable } : each));
      },
      release: (...parts) => world.store.release(...parts),
      nextDueMs: (nowMs) => world.store.nextDueMs(nowMs),
    };
    const { commit } = world.stores.evaluations;
    world.stores.evaluations.commit = async (evaluation) => {
      if (evaluation.alertId === unwritten.id) throw new Error('refused by the store');
      return commit(evaluation);
    };
    world.reader.answer = async () => {
      const disabled = { ...changed, enabled: false };
      await world.store.transaction((inside) => inside.save(tenantId, disabled, { resetState: true }));
      return count(7);
    };
    const process = await world.start();
    await world.clock.advance(minuteMs + delayMs);
    const statuses = await Promise.all(
      [broken, unwritten, changed, fine].map(async ({ id }) => (await world.store.find(tenantId, id))?.status),
    );
    expect(statuses).toEqual(['OK', 'OK', 'DISABLED', 'ALERT']);
    expect(process.logger.lines.filter(({ level }) => level === 'error')).toHaveLength(2);
    await process.stop();
  });
});

describe('stopping', () => {
  it('cancels queries, records no error, and gives the lease back', async () => {
    const world = new World();
    const alert = await world.add();
    world.reader.answer = ({ signal }) =>
      new Promise((resolve) => signal?.addEventListener('abort', () => resolve(queryError)));
    const process = await world.start();
    await world.clock.advance(minuteMs + delayMs);
    await process.stop();
    expect(await world.store.find(tenantId, alert.id)).toEqual({ alert, status: 'OK' });
    const nowMs = world.clock.nowMs();
    expect(await world.store.nextDueMs(nowMs)).toBe(newYearMs + minuteMs);
  });
});

type Action =
  | { kind: 'advance'; ms: number }
  | { kind: 'start' | 'kill' | 'stop' | 'freeze' | 'thaw'; which: number }
  | { kind: 'reader'; mode: 'fine' | 'error' | 'hang' };

const actions: fc.Arbitrary<Action[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('advance' as const), ms: fc.integer({ min: 0, max: 90_000 }) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constantFrom('start', 'kill', 'stop', 'freeze', 'thaw'),
        which: fc.constantFrom(0, 1, 2),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('reader' as const), mode: fc.constantFrom('fine', 'error', 'hang') }),
    },
  ),
  { maxLength: 25 },
);

describe('decisions A5: each window is evaluated exactly once', () => {
  it('also if an evaluator pauses past its lease and then writes what another has evaluated', async () => {
    const world = new World();
    const alert = await world.add();
    const slow = await world.start();
    slow.freeze();
    await world.clock.advance(minuteMs + delayMs);
    const other = await world.start();
    await world.clock.advance(2 * minuteMs);
    slow.thaw();
    await world.clock.advance(minuteMs);
    await slow.stop();
    await other.stop();
    await expectExactlyOnce(world, [alert]);
  });

  it('whatever starts, dies, stops, freezes, hangs or fails among three evaluators', async () => {
    await fc.assert(
      fc.asyncProperty(actions, async (script) => {
        const world = new World();
        const alerts = [await world.add(), await world.add(), await world.add({ tileId: 't2' })];
        const processes: (EvaluatorProcess | undefined)[] = [];
        const byTime = (endMs: number) => count((endMs / minuteMs) % 3 === 0 ? 7 : 1);
        world.reader.answer = ({ window }) => byTime(window.endMs);
        for (const action of script) await perform(world, processes, action, byTime);
        for (const process of processes) process?.thaw();
        await world.clock.advance(0);
        for (const process of processes) process?.kill();
        world.reader.answer = ({ window }) => byTime(window.endMs);
        const last = await world.start();
        await world.clock.advance(2 * minuteMs);
        await world.clock.advance(minuteMs);
        await last.stop();
        await expectExactlyOnce(world, alerts);
      }),
      { numRuns: 100 },
    );
  });
});

async function perform(
  world: World,
  processes: (EvaluatorProcess | undefined)[],
  action: Action,
  byTime: (endMs: number) => ReturnType<typeof count>,
): Promise<void> {
  switch (action.kind) {
    case 'advance':
      return world.clock.advance(action.ms);
    case 'start':
      processes[action.which] ??= await world.start();
      return;
    case 'kill':
      processes[action.which]?.kill();
      processes[action.which] = undefined;
      return;
    case 'freeze':
    case 'thaw':
      processes[action.which]?.[action.kind]();
      return world.clock.advance(0);
    case 'stop': {
      processes[action.which]?.thaw();
      const stopping = processes[action.which]?.stop();
      processes[action.which] = undefined;
      // A read that hangs ends by its budget.
      await world.clock.advance(35_000);
      return stopping;
    }
    case 'reader':
      world.reader.answer = ({ window }) => {
        if (action.mode === 'hang') return new Promise(() => {});
        return action.mode === 'error' ? queryError : byTime(window.endMs);
      };
  }
}

async function expectExactlyOnce(world: World, alerts: readonly Alert[]): Promise<void> {
  expect(new Set(world.committed).size).toBe(world.committed.length);
  const due = Math.floor((world.clock.nowMs() - delayMs - newYearMs) / minuteMs);
  const expected = Array.from({ length: due }, (_, index) => newYearMs + (index + 1) * minuteMs);
  for (const alert of alerts) {
    expect(await world.evaluatedEnds(alert)).toEqual(expected);
    const own = world.committed.filter((line) => line.startsWith(alert.id));
    expect(own).toEqual(expected.map((endMs) => `${alert.id} ${endMs}`));
  }
}
