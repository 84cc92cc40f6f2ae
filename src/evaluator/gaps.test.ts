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
import { FakeClock } from '../kernel/fake-clock.ts';
import type { Alert, AlertStatus } from '../resources/alerts/alert.ts';
import { reschedulingOf } from '../resources/alerts/to-alert.ts';
import type { HistoryEntry } from './alert-state.ts';
import { previewRule } from './preview-rule.ts';

const tenantId = 'tenant';

class World {
  readonly clock = new FakeClock();
  readonly store = new FakeAlertStore();
  readonly reader = new FakeTileReader();
  readonly stores: AlertStores = { leases: this.store, names: this.store, evaluations: this.store };
  #process: EvaluatorProcess | undefined;
  #alert: Alert;

  constructor(parts: Partial<Alert>) {
    this.#alert = alertOf(parts);
  }

  async start(): Promise<void> {
    await this.store.transaction((inside) => inside.insert(tenantId, this.#alert, newYearMs + minuteMs));
    this.switchOn();
  }

  switchOn(): void {
    this.#process ??= new EvaluatorProcess(this.stores, this.reader, this.clock);
  }

  async switchOff(): Promise<void> {
    await this.#process?.stop();
    this.#process = undefined;
  }

  async edit(parts: Partial<Alert>): Promise<void> {
    const before = this.#alert;
    this.#alert = { ...before, ...parts };
    const rescheduling = reschedulingOf(before, this.#alert, this.clock.nowMs());
    await this.store.transaction((inside) => inside.save(tenantId, this.#alert, rescheduling));
  }

  get alert(): Alert {
    return this.#alert;
  }

  /** Without windows that could not be read. */
  async evaluated(): Promise<HistoryEntry[]> {
    return (await this.history()).filter(({ error }) => error === undefined);
  }

  /** Oldest first. */
  async history(): Promise<HistoryEntry[]> {
    return (await this.store.listHistory(tenantId, this.#alert.id, Number.POSITIVE_INFINITY)).toReversed();
  }
}

describe('decisions A5: a gap ends every streak', () => {
  it('two in a row: a breach, two hours without an evaluator, a breach: pending', async () => {
    const world = new World({ numConsecutiveWindows: 2 });
    const breachesAt = [newYearMs + minuteMs, newYearMs + 122 * minuteMs];
    world.reader.answer = ({ window }) => count(breachesAt.includes(window.endMs) ? 9 : 0);
    await world.start();
    await world.clock.advance(minuteMs + delayMs);
    await world.switchOff();
    world.reader.answer = ({ window }) => count(window.endMs >= newYearMs + 72 * minuteMs ? 9 : 0);
    await world.clock.advance(120 * minuteMs);
    world.switchOn();
    await world.clock.advance(0);
    const history = await world.history();
    expect(history.slice(0, 3).map(({ status }) => status)).toEqual(['PENDING', 'PENDING', 'ALERT']);
    expect(history[1]?.skippedWindows).toBe(70);
    await world.switchOff();
  });

  it('a schedule that is moved starts the streak again; a rename does not', async () => {
    const world = new World({ numConsecutiveWindows: 2, interval: '5m' });
    world.reader.answer = () => count(9);
    await world.start();
    await world.clock.advance(minuteMs + delayMs);
    await world.edit({ name: 'other' });
    await world.clock.advance(minuteMs);
    await world.edit({ scheduleOffsetMinutes: 3 });
    await world.clock.advance(8 * minuteMs);
    expect((await world.history()).map(({ status }) => status)).toEqual(['PENDING', 'PENDING', 'ALERT']);
    await world.switchOff();
  });
});

type Seen = 'breaks' | 'fine' | 'none';
type Event =
  | { kind: 'run'; minutes: number }
  | { kind: 'off'; minutes: number }
  | { kind: 'errors'; minutes: number }
  | { kind: 'rename' | 'disable' | 'enable' | 'otherThreshold' | 'moveSchedule' };

const event: fc.Arbitrary<Event> = fc.oneof(
  fc.record({ kind: fc.constantFrom('run' as const, 'errors' as const), minutes: fc.integer({ min: 1, max: 12 }) }),
  fc.record({ kind: fc.constant('off' as const), minutes: fc.integer({ min: 1, max: 90 }) }),
  fc.record({
    kind: fc.constantFrom('rename' as const, 'disable' as const, 'enable' as const, 'otherThreshold' as const),
  }),
  fc.record({ kind: fc.constant('moveSchedule' as const) }),
);

/** The state after each window by the words of the decisions: a window counts to a streak with the one before it. */
function model(windows: readonly { endMs: number; seen: Seen; afresh: boolean }[], intervalMs: number, inARow: number) {
  let streak = 0;
  let firing = false;
  let lastEndMs: number | undefined;
  return windows.map(({ endMs, seen, afresh }): AlertStatus => {
    if (afresh) firing = false;
    if (afresh || (lastEndMs !== undefined && lastEndMs !== endMs - intervalMs)) streak = 0;
    lastEndMs = endMs;
    streak = seen === 'breaks' ? streak + 1 : 0;
    firing = seen === 'breaks' && (firing || streak >= inARow);
    if (seen !== 'breaks') return 'OK';
    return firing ? 'ALERT' : 'PENDING';
  });
}

it('live = model = preview over gaps, failed windows, missed windows, edits and pauses', {
  timeout: 60_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { minLength: 3, maxLength: 12 }),
      fc.array(fc.constantFrom<Seen>('breaks', 'breaks', 'fine', 'none'), { minLength: 7, maxLength: 40 }),
      fc.integer({ min: 1, max: 4 }),
      async (events, pattern, inARow) => {
        const world = new World({ interval: '2m', numConsecutiveWindows: inARow });
        const seenAt = (endMs: number): Seen => pattern[Math.floor(endMs / minuteMs) % pattern.length] ?? 'none';
        const reading = (endMs: number) => count({ breaks: 9, fine: 1, none: undefined }[seenAt(endMs)]);
        let fails = false;
        world.reader.answer = ({ window }) => (fails ? queryError : reading(window.endMs));
        const resets: number[] = [];
        await world.start();
        for (const each of events) {
          if (each.kind === 'off') await world.switchOff();
          else world.switchOn();
          fails = each.kind === 'errors';
          const before = world.alert;
          if (each.kind === 'rename') await world.edit({ name: `${world.clock.nowMs()}` });
          if (each.kind === 'disable') await world.edit({ enabled: false });
          if (each.kind === 'enable') await world.edit({ enabled: true });
          if (each.kind === 'otherThreshold') await world.edit({ threshold: before.threshold === 5 ? 4 : 5 });
          if (each.kind === 'moveSchedule')
            await world.edit({ scheduleOffsetMinutes: before.scheduleOffsetMinutes ? 0 : 1 });
          if (reschedulingOf(before, world.alert, 0).resetState)
            resets.push((await world.evaluated()).at(-1)?.windowEndMs ?? 0);
          await world.clock.advance(('minutes' in each ? each.minutes : 1) * minuteMs);
        }
        await world.switchOff();
        const evaluated = await world.evaluated();
        const windows = evaluated.map(({ windowEndMs }, index) => {
          const previousMs = evaluated[index - 1]?.windowEndMs ?? 0;
          const afresh = resets.some((resetMs) => resetMs >= previousMs && resetMs < windowEndMs);
          return { endMs: windowEndMs, seen: seenAt(windowEndMs), afresh };
        });
        const live = evaluated.map(({ status }) => status);
        expect(live).toEqual(model(windows, 2 * minuteMs, inARow));
        await expectPreviewAgrees(world.alert, windows, live, reading);
      },
    ),
    { numRuns: 150 },
  );
});

/** Each stretch without a gap, begun while nothing fired, is what a preview of it shows. */
async function expectPreviewAgrees(
  alert: Alert,
  windows: readonly { endMs: number; afresh: boolean }[],
  live: readonly AlertStatus[],
  reading: (endMs: number) => ReturnType<typeof count>,
): Promise<void> {
  const intervalMs = 2 * minuteMs;
  let from = 0;
  for (let to = 1; to <= windows.length; to++) {
    const next = windows[to];
    const isRun = next && !next.afresh && next.endMs === (windows[to - 1]?.endMs ?? 0) + intervalMs;
    if (isRun) continue;
    const firstMs = windows[from]?.endMs ?? 0;
    if (live[from - 1] !== 'ALERT' || windows[from]?.afresh) {
      const stretch = { startMs: firstMs - intervalMs, endMs: windows[to - 1]?.endMs ?? 0 };
      const readings = {
        of: (startMs: number) => reading(startMs + intervalMs),
        grouped: false,
        truncated: false,
        rowsRead: 0,
        elapsedMs: 0,
        warnings: [],
      };
      const preview = await previewRule(
        { ...alert, scheduleOffsetMinutes: 0 },
        stretch,
        readings,
        new AbortController().signal,
      );
      expect(preview.windows.map(({ status }) => status)).toEqual(live.slice(from, to));
    }
    from = to;
  }
}
