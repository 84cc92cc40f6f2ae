import { afterEach, describe, expect, it } from 'vitest';
import { SecretBox } from '../../../src/access/secret-box.ts';
import type { Tile } from '../../../src/contract/tile.ts';
import type { Reading, SampleEvents } from '../../../src/evaluator/ports.ts';
import { FakeClock } from '../../../src/kernel/fake-clock.ts';
import { randomIds } from '../../../src/kernel/ids.ts';
import { inlineWorkers } from '../../../src/kernel/inline-workers.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { MessageDelivery } from '../../../src/notify/deliver-message.ts';
import { guardedAgent } from '../../../src/notify/guarded-agent.ts';
import { MessageRenderer } from '../../../src/notify/message-renderer.ts';
import type { Outbox } from '../../../src/notify/outbox.ts';
import { NotificationPipeline } from '../../../src/notify/pipeline.ts';
import { SsrfGuard } from '../../../src/notify/target-guard.ts';
import { WebhookMentions } from '../../../src/notify/webhook-mentions.ts';
import { WebhookSender } from '../../../src/notify/webhook-sender.ts';
import { AlertMarkService } from '../../../src/resources/alerts/alert-mark-service.ts';
import { AlertService } from '../../../src/resources/alerts/alert-service.ts';
import { queryFingerprint } from '../../../src/resources/alerts/reading/query-fingerprint.ts';
import { tileToChart } from '../../../src/resources/charts/request/tile-to-chart.ts';
import { FakeSilenceRepository } from '../../../src/resources/silences/fake-silence-repository.ts';
import { SilenceMuting } from '../../../src/resources/silences/silence-muting.ts';
import { SilenceService } from '../../../src/resources/silences/silence-service.ts';
import { FakeWebhookRepository } from '../../../src/resources/webhooks/fake-webhook-repository.ts';
import { sealWebhookSecrets } from '../../../src/resources/webhooks/webhook-secrets.ts';
import { minuteMs, newYearMs, tileOf } from '../../support/alert-fixtures.ts';
import {
  count,
  countBy,
  delayMs,
  EvaluatorProcess,
  FakeTileReader,
  KillableOutbox,
  queryError,
} from '../../support/alert-world.ts';
import { FakeAlertStore } from '../../support/fake-alert-store.ts';
import { type Reply, ScriptedReceiver } from '../../support/scripted-receiver.ts';
import { dashboardId, savedSearchId, seedBody, webhookId } from './alert-api.ts';

const tenantId = 'tenant';
const body = { ...seedBody, interval: '1m', threshold: 5, name: 'Errors' } as const;
const closes: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closes.splice(0).toReversed()) await close();
});

/** One or more evaluators, senders, and a real receiver on a clock that the test moves. */
function rendererOver(clock: FakeClock): MessageRenderer {
  return new MessageRenderer({
    workers: inlineWorkers,
    clock,
    logger: silentLogger,
    tenants: { find: async () => undefined },
    publicUrl: 'https://obs.example.com',
  });
}

class Timetable {
  /** Starts when a window has just been evaluated, so that the next one is a whole window away. */
  readonly clock = new FakeClock(newYearMs + delayMs);
  readonly store = new FakeAlertStore();
  readonly reader = new FakeTileReader();
  readonly receiver: ScriptedReceiver;
  readonly alerts = new AlertService({ alerts: this.store, ids: randomIds, clock: this.clock });
  samples: SampleEvents['find'] = async () => [];
  readonly silenceStore = new FakeSilenceRepository();
  readonly silences = new SilenceService({
    silences: this.silenceStore,
    alerts: this.store,
    ids: randomIds,
    clock: this.clock,
  });
  readonly marks = new AlertMarkService({ alerts: this.alerts, repository: this.store, clock: this.clock });
  readonly #muting = new SilenceMuting({
    silences: this.silenceStore,
    alerts: this.store,
    dashboards: {
      find: async () => ({ dashboard: { id: dashboardId, name: 'Shop', tags: ['shop'], tiles: [] }, version: 1 }),
    },
    savedSearches: { find: async () => undefined },
  });
  readonly #webhooks = new FakeWebhookRepository();
  readonly #box = new SecretBox('a key for tests');

  constructor(script: readonly Reply[]) {
    this.receiver = new ScriptedReceiver(script);
  }

  static async start(script: readonly Reply[] = []): Promise<Timetable> {
    const world = new Timetable(script);
    const url = await world.receiver.start();
    closes.push(() => world.receiver.stop());
    world.store.addDashboard(tenantId, { id: dashboardId, name: 'Shop', tiles: [tileOf('line', { name: 'Errors' })] });
    world.store.addWebhook(tenantId, webhookId);
    await world.addWebhook(webhookId, 'ops', url);
    return world;
  }

  async addWebhook(id: string, name: string, url: string): Promise<void> {
    await this.#webhooks.insert(tenantId, {
      id,
      name,
      service: 'generic',
      url,
      sealedSecrets: sealWebhookSecrets(this.#box, id, { headers: { 'X-Token': 's3cret' } }) ?? '',
      createdAt: '',
      updatedAt: '',
    });
  }

  async startEvaluator(onEvaluated: () => void = () => {}): Promise<EvaluatorProcess> {
    const mentions = new WebhookMentions(this.#webhooks, rendererOver(this.clock));
    const samples = { find: (...parts: Parameters<SampleEvents['find']>) => this.samples(...parts) };
    const stores = {
      leases: this.store,
      evaluations: this.store,
      names: this.store,
      mentions,
      samples,
      muting: this.#muting,
    };
    const started = new EvaluatorProcess(stores, this.reader, this.clock, onEvaluated);
    closes.push(async () => started.kill());
    await this.clock.advance(0);
    return started;
  }

  async startSender(
    outbox: Pick<Outbox, 'claimDue' | 'nextDueMs' | 'record' | 'endWaitsAfter'> = this.store.outbox,
  ): Promise<NotificationPipeline> {
    const { clock } = this;
    const dispatcher = guardedAgent(new SsrfGuard(['127.0.0.1']), 5_000);
    const delivery = new MessageDelivery({
      webhooks: this.#webhooks,
      box: this.#box,
      sender: new WebhookSender({ dispatcher, clock, timeoutMs: 30_000 }),
      outbox,
      clock,
      logger: silentLogger,
      renderer: rendererOver(clock),
      firstRetryMs: 1_000,
      random: () => 0.5,
    });
    const pipeline = new NotificationPipeline({
      outbox,
      delivery,
      clock,
      ids: randomIds,
      logger: silentLogger,
      concurrency: 16,
      perWebhookMax: 4,
      claimMs: 60_000,
      idlePollMs: 1_000,
      graceMs: 1_000,
    });
    pipeline.start();
    closes.push(
      () => pipeline.stop(),
      () => dispatcher.destroy(),
    );
    await clock.advance(0);
    return pipeline;
  }

  /** A sender, and how to end it as `kill -9` does: what it has under way is never recorded, it takes nothing more. */
  async startMortalSender(): Promise<() => void> {
    const outbox = new KillableOutbox(this.store.outbox);
    await this.startSender(outbox);
    return () => outbox.kill();
  }

  /** Everything in one process. */
  async startAll(): Promise<void> {
    const pipeline = await this.startSender();
    await this.startEvaluator(() => pipeline.wake());
  }

  /** To the evaluation of the next window, which the tile answers with `reading`. */
  async window(reading: Reading): Promise<void> {
    this.reader.answer = () => reading;
    const next = Math.floor((this.clock.nowMs() - delayMs) / minuteMs + 1) * minuteMs + delayMs;
    await this.clock.advance(next - this.clock.nowMs());
  }

  async attempts(alertId: string) {
    return (await this.store.outbox.listAttempts(tenantId, alertId, 100)).toReversed();
  }

  /** State and groups of what the receiver got, in order. */
  got(): string[] {
    return this.receiver.received.map(({ body: text }) => {
      const { state, group } = JSON.parse(text);
      const groups = Object.values(group).join();
      return groups ? `${state}(${groups})` : state;
    });
  }

  async expectGot(expected: readonly string[]): Promise<void> {
    await expect.poll(() => this.got()).toEqual(expected);
    await this.settled();
    expect(this.got()).toEqual(expected);
  }

  /** Waits until nothing that is due is left in the outbox. */
  async settled(): Promise<void> {
    await expect
      .poll(
        async () => (await this.store.outbox.nextDueMs({ nowMs: this.clock.nowMs(), perWebhookMax: 100 })) ?? Infinity,
      )
      .toBeGreaterThan(this.clock.nowMs());
    await this.clock.advance(1_000);
  }
}

describe('acceptance timetable', () => {
  it('U-42: OK, ALERT, ALERT, OK → exactly two messages, distinguished by state, with one event id', async () => {
    const world = await Timetable.start();
    const { alert } = await world.alerts.create(tenantId, body);
    await world.startAll();
    for (const value of [1, 7, 9]) await world.window(count(value));
    await world.expectGot(['ALERT']);
    await world.window(count(2));
    await world.expectGot(['ALERT', 'OK']);
    const [firing, resolved] = world.receiver.received.map((request) => JSON.parse(request.body));
    expect(resolved.eventId).toBe(firing.eventId);
    expect(firing).toMatchObject({
      title: '🚨 Errors',
      value: 7,
      threshold: 5,
      tile: { name: 'Errors' },
      dashboard: { name: 'Shop' },
    });
    expect(world.receiver.received[0]?.headers['x-token']).toBe('s3cret');
    expect((await world.alerts.get(tenantId, alert.id)).status).toBe('OK');
    const history = await world.store.listHistory(tenantId, alert.id, 10);
    expect(history.toReversed().map(({ status, groups }) => [status, groups[0]?.value])).toEqual([
      ['OK', 1],
      ['ALERT', 7],
      ['ALERT', 9],
      ['OK', 2],
    ]);
  });

  it('decisions A7: repeatInterval notifies again while it fires, and its end once; one event, a key for each', async () => {
    const world = await Timetable.start();
    await world.alerts.create(tenantId, { ...body, repeatInterval: '2m' });
    await world.startAll();
    for (const value of [7, 7, 7, 7, 7, 1, 1]) await world.window(count(value));
    await world.expectGot(['ALERT', 'ALERT', 'ALERT', 'OK']);
    const sent = world.receiver.received.map(({ body: text }) => JSON.parse(text));
    expect(sent.map(({ reason }) => reason)).toEqual(['firing', 'repeat', 'repeat', 'resolved']);
    expect(new Set(sent.map(({ firingSince }) => firingSince))).toEqual(new Set([newYearMs + minuteMs]));
    expect(new Set(sent.map(({ eventId }) => eventId)).size).toBe(1);
    expect(new Set(world.receiver.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(4);
  });

  it.each([
    ['each start and each end is notified, in this order', {}, ['ALERT', 'OK', 'ALERT', 'OK', 'ALERT']],
    ['U-27: two windows in a row are required: no notification', { numConsecutiveWindows: 2 }, []],
    ['U-28: it recovers below 3 only: one notification', { recoveryThreshold: 3 }, ['ALERT']],
  ])('it flaps around the threshold: %s', async (_what, rule, expected) => {
    const world = await Timetable.start();
    await world.alerts.create(tenantId, { ...body, ...rule });
    await world.startAll();
    for (const value of [7, 4, 7, 4, 7]) await world.window(count(value));
    await world.expectGot(expected);
  });

  it('decisions A6: an average without data is INSUFFICIENT_DATA and sends nothing; the incident continues after it', async () => {
    const world = await Timetable.start();
    const { alert } = await world.alerts.create(tenantId, body);
    await world.startAll();
    const average = (value?: number): Reading => ({ ...count(value), missingIsZero: false });
    const states: string[] = [];
    for (const value of [undefined, 7, undefined, 7, undefined, 1]) {
      await world.window(average(value));
      states.push((await world.alerts.get(tenantId, alert.id)).status);
    }
    const gap = 'INSUFFICIENT_DATA';
    expect(states).toEqual([gap, 'ALERT', gap, 'ALERT', gap, 'OK']);
    await world.expectGot(['ALERT', 'OK']);
  });

  it('U-23, U-37: groups appear, disappear and come back', async () => {
    const world = await Timetable.start();
    await world.alerts.create(tenantId, body);
    await world.startAll();
    await world.window(countBy('pod', { p1: 7, p2: 1 }));
    await world.expectGot(['ALERT(p1)']);
    await world.window(countBy('pod', { p2: 8 }));
    await expect.poll(() => world.got().toSorted()).toEqual(['ALERT(p1)', 'ALERT(p2)', 'OK(p1)']);
    await world.window(countBy('pod', { p2: 8 }));
    await world.window(countBy('pod', { p1: 9, p2: 1 }));
    await expect
      .poll(() => world.got().toSorted())
      .toEqual(['ALERT(p1)', 'ALERT(p1)', 'ALERT(p2)', 'OK(p1)', 'OK(p2)']);
    const keys = world.receiver.received.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(5);
  });

  it('U-22: a quiet service under a "below" rule fires with value 0', async () => {
    const world = await Timetable.start();
    await world.alerts.create(tenantId, { ...body, threshold: 1, thresholdType: 'below' });
    await world.startAll();
    await world.window(count(undefined));
    await world.expectGot(['ALERT']);
    expect(JSON.parse(world.receiver.received[0]?.body ?? '')).toMatchObject({ value: 0, thresholdSymbol: '<' });
  });

  it('U-24: breach, no database, fine → one firing, one resolved; the error is on the alert meanwhile', async () => {
    const world = await Timetable.start();
    const { alert } = await world.alerts.create(tenantId, body);
    await world.startAll();
    await world.window(count(7));
    await world.window(queryError);
    const during = await world.alerts.get(tenantId, alert.id);
    expect(during).toMatchObject({ status: 'ALERT', executionErrors: [{ type: 'QUERY_ERROR' }] });
    await world.expectGot(['ALERT']);
    await world.window(count(1));
    await world.expectGot(['ALERT', 'OK']);
    expect(await world.alerts.get(tenantId, alert.id)).toMatchObject({ status: 'OK', executionErrors: [] });
  });

  it('U-52: fifty groups breach together → fifty messages with fifty keys', async () => {
    const world = await Timetable.start();
    await world.alerts.create(tenantId, body);
    await world.startAll();
    await world.window(countBy('pod', Object.fromEntries(Array.from({ length: 50 }, (_, pod) => [`p${pod}`, 9]))));
    await expect.poll(() => world.receiver.received.length).toBe(50);
    expect(new Set(world.receiver.received.map(({ body: text }) => JSON.parse(text).eventId)).size).toBe(50);
  });

  describe('U-30, decisions A5: late data', () => {
    /** Rows that reach the store some time after they happened; a window holds those that are there when it is read. */
    async function withRows(rows: readonly { happenedMs: number; arrivedMs: number }[], rule: object) {
      const world = await Timetable.start();
      const { alert } = await world.alerts.create(tenantId, { ...body, ...rule });
      world.reader.answer = ({ window: { startMs, endMs } }) =>
        count(
          rows.filter(
            ({ happenedMs, arrivedMs }) =>
              happenedMs >= startMs && happenedMs < endMs && arrivedMs <= world.clock.nowMs(),
          ).length,
        );
      await world.startAll();
      for (let passed = 0; passed < 3; passed++) await world.clock.advance(minuteMs);
      const history = await world.store.listHistory(tenantId, alert.id, 10);
      return { world, values: history.toReversed().map(({ groups }) => groups[0]?.value) };
    }
    const happenedMs = newYearMs + minuteMs - 1_000;

    it('a row that arrives after the end of its window, within the delay, is evaluated in it, once', async () => {
      const rows = [{ happenedMs, arrivedMs: newYearMs + minuteMs + delayMs - 1_000 }];
      const { world, values } = await withRows(rows, { threshold: 1 });
      expect(values).toEqual([1, 0, 0]);
      await world.expectGot(['ALERT', 'OK']);
    });

    it('it keeps a "below" rule from firing', async () => {
      const arrivedMs = newYearMs + minuteMs + delayMs - 1_000;
      const rows = [0, 1, 2].map((window) => ({
        happenedMs: happenedMs + window * minuteMs,
        arrivedMs: arrivedMs + window * minuteMs,
      }));
      const { world, values } = await withRows(rows, { threshold: 1, thresholdType: 'below' });
      expect(values).toEqual([1, 1, 1]);
      await world.expectGot([]);
    });

    it('a row later than the delay changes nothing: no window is evaluated twice', async () => {
      const rows = [{ happenedMs, arrivedMs: newYearMs + minuteMs + delayMs + 1_000 }];
      const { world, values } = await withRows(rows, { threshold: 1 });
      expect(values).toEqual([0, 0, 0]);
      expect(world.reader.windowEnds).toEqual([1, 2, 3].map((window) => newYearMs + window * minuteMs));
      await world.expectGot([]);
    });
  });

  it('decisions A5: after three hours without an evaluator the last 50 windows are caught up, in order', async () => {
    const world = await Timetable.start();
    const { alert } = await world.alerts.create(tenantId, body);
    const pipeline = await world.startSender();
    await world.clock.advance(180 * minuteMs);
    // It broke from the 20th of these windows to the 30th, and long before, in windows that are not looked at again.
    const nth = (endMs: number) => (endMs - newYearMs) / minuteMs - 130;
    world.reader.answer = ({ window: { endMs } }) =>
      count(nth(endMs) <= 0 || (nth(endMs) >= 20 && nth(endMs) <= 30) ? 7 : 1);
    await world.startEvaluator(() => pipeline.wake());
    await world.expectGot(['ALERT', 'OK']);
    expect(world.reader.windowEnds.map(nth)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    const history = (await world.store.listHistory(tenantId, alert.id, 100)).toReversed();
    expect(history.map(({ skippedWindows }) => skippedWindows ?? 0)).toEqual([130, ...Array(49).fill(0)]);
  });

  it('U-36: values 1, 7, 2 → a row per window: when it began, what was seen, what became of it', async () => {
    const world = await Timetable.start();
    const { alert } = await world.alerts.create(tenantId, { ...body, interval: '5m' });
    await world.startAll();
    world.reader.answer = ({ window: { startMs } }) => count([1, 7, 2][(startMs - newYearMs) / (5 * minuteMs)]);
    await world.clock.advance(15 * minuteMs);
    const history = (await world.store.listHistory(tenantId, alert.id, 10)).toReversed();
    expect(
      history.map(({ windowStartMs, status, groups }) => [
        (windowStartMs - newYearMs) / minuteMs,
        status,
        groups[0]?.value,
      ]),
    ).toEqual([
      [0, 'OK', 1],
      [5, 'ALERT', 7],
      [10, 'OK', 2],
    ]);
  });

  it('U-29: "above" includes the threshold, and the message says so', async () => {
    const world = await Timetable.start();
    await world.alerts.create(tenantId, body);
    await world.startAll();
    await world.window(count(4));
    await world.expectGot([]);
    await world.window(count(5));
    await world.expectGot(['ALERT']);
    expect(JSON.parse(world.receiver.received[0]?.body ?? '')).toMatchObject({
      value: 5,
      threshold: 5,
      thresholdSymbol: '≥',
    });
  });
});

describe('@webhook mentions (contract §3.6)', () => {
  const otherId = 'e00000000000000000000009';

  async function withOther(message: string): Promise<{ world: Timetable; other: ScriptedReceiver; alertId: string }> {
    const world = await Timetable.start();
    const other = new ScriptedReceiver();
    const url = await other.start();
    closes.push(() => other.stop());
    await world.addWebhook(otherId, 'On call, nights', url);
    const { alert } = await world.alerts.create(tenantId, { ...body, message });
    await world.startAll();
    return { world, other, alertId: alert.id };
  }

  it.each(['look @webhook-on', `@webhook-${otherId} look`, 'look @webhook-On and @webhook-on @webhook-ops'])(
    '%s: the webhook is notified as well, once; of the end too',
    async (message) => {
      const { world, other } = await withOther(message);
      await world.window(count(7));
      await expect.poll(() => other.received.length).toBe(1);
      await world.expectGot(['ALERT']);
      expect(other.received[0]?.body).toContain('look');
      expect(other.received[0]?.body).not.toContain('@webhook-');
      await world.window(count(1));
      await expect.poll(() => other.received.length).toBe(2);
      await world.expectGot(['ALERT', 'OK']);
    },
  );

  it('a name that no webhook has is an error on the alert and affects no other', async () => {
    const { world, other, alertId } = await withOther('@webhook-nobody look');
    await world.window(count(7));
    await world.expectGot(['ALERT']);
    expect(other.received).toEqual([]);
    const { executionErrors } = await world.alerts.get(tenantId, alertId);
    expect(executionErrors).toMatchObject([{ type: 'WEBHOOK_ERROR', message: expect.stringContaining('nobody') }]);
  });

  it('at most 20 webhooks are notified of one event', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `hook-${index}`);
    const { world, alertId } = await withOther(names.map((name) => `@webhook-${name}`).join(' '));
    for (const [index, name] of names.entries()) {
      await world.addWebhook(`e0000000000000000000010${index.toString(36)}`, name, 'http://127.0.0.1:9/');
    }
    await world.window(count(7));
    await expect
      .poll(async () => (await world.store.log.listEvaluations(tenantId, alertId, { limit: 1, offset: 0 })).evaluations)
      .toMatchObject([{ notifications: expect.toSatisfy((sent: unknown[]) => sent.length === 20) }]);
  });
});

describe('saved searches', () => {
  it('a message about one has its name, the group, how many were found, some of them, and where to look', async () => {
    const world = await Timetable.start();
    world.store.addSavedSearch(tenantId, { id: savedSearchId, name: 'Errors of the shop' });
    world.samples = async ({ savedSearchId: id, group }) =>
      id === savedSearchId ? [`an event of ${group[0]?.value}`] : [];
    const { dashboardId: _dashboard, tileId: _tile, source: _source, name: _name, ...rule } = body;
    await world.alerts.create(tenantId, { ...rule, savedSearchId, groupBy: 'ServiceName' });
    await world.startAll();
    await world.window(countBy('ServiceName', { checkout: 12, cart: 1 }));
    await world.expectGot(['ALERT(checkout)']);
    const sent = JSON.parse(world.receiver.received[0]?.body ?? '');
    expect(sent).toMatchObject({
      title: '🚨 Alert for "Errors of the shop" - 12 lines found',
      savedSearch: { id: savedSearchId, name: 'Errors of the shop' },
      group: { ServiceName: 'checkout' },
      body: expect.stringContaining('an event of checkout'),
      link: expect.stringMatching(
        `^https://obs\\.example\\.com/search/${savedSearchId}\\?from=\\d+&to=\\d+&isLive=false$`,
      ),
    });
    await world.window(countBy('ServiceName', { checkout: 1 }));
    await world.expectGot(['ALERT(checkout)', 'OK(checkout)']);
    expect(world.receiver.received[1]?.body).not.toContain('an event of');
  });
});

describe('templates', () => {
  it('a broken one is reported in the delivery log; the page is not lost', async () => {
    const world = await Timetable.start();
    const { alert } = await world.alerts.create(tenantId, { ...body, message: 'see {{alert.nope}}' });
    await world.startAll();
    await world.window(count(7));
    await world.expectGot(['ALERT']);
    const [line] = await world.attempts(alert.id);
    expect(line).toMatchObject({ status: 200, notice: expect.stringContaining('alert.nope') });
  });
});

describe('restarts and several evaluators', () => {
  it('a restart neither repeats nor forgets', async () => {
    const world = await Timetable.start();
    await world.alerts.create(tenantId, body);
    await world.startSender();
    const first = await world.startEvaluator();
    await world.window(count(7));
    await first.stop();
    await world.startEvaluator();
    await world.window(count(8));
    await world.expectGot(['ALERT']);
    await world.window(count(1));
    await world.expectGot(['ALERT', 'OK']);
  });

  it('U-38: two evaluators and two senders, one message each; after kill -9 of one the other continues', async () => {
    const world = await Timetable.start();
    await world.alerts.create(tenantId, body);
    await world.startSender();
    await world.startSender();
    const first = await world.startEvaluator();
    await world.startEvaluator();
    await world.window(count(7));
    await world.expectGot(['ALERT']);
    first.kill();
    await world.window(count(1));
    await world.window(count(1));
    await world.expectGot(['ALERT', 'OK']);
  });

  it('decisions A8: evaluated, then the program dies before sending: the next one sends', async () => {
    const world = await Timetable.start();
    await world.alerts.create(tenantId, body);
    const evaluator = await world.startEvaluator();
    await world.window(count(7));
    evaluator.kill();
    expect(world.receiver.received).toEqual([]);
    await world.startSender();
    await world.expectGot(['ALERT']);
  });
});

describe('a receiver in trouble (decisions A8)', () => {
  it('500, 500, silence, then 200 → one success, the same Idempotency-Key on each try, every try in the log', async () => {
    const world = await Timetable.start([{ status: 500 }, { status: 500 }, 'hang']);
    const { alert } = await world.alerts.create(tenantId, body);
    await world.startAll();
    await world.window(count(7));
    await expect.poll(async () => (await world.attempts(alert.id)).length).toBe(1);
    const failing = await world.alerts.get(tenantId, alert.id);
    expect(failing.executionErrors).toMatchObject([{ type: 'WEBHOOK_ERROR', message: 'The receiver answered 500.' }]);
    await world.clock.advance(1_000);
    await expect.poll(async () => (await world.attempts(alert.id)).length).toBe(2);
    await world.clock.advance(2_000);
    await expect.poll(() => world.receiver.received.length).toBe(3);
    await world.clock.advance(30_000);
    await expect.poll(async () => (await world.attempts(alert.id)).length).toBe(3);
    await world.clock.advance(4_000);
    await expect
      .poll(async () => (await world.attempts(alert.id)).map(({ status, error }) => status ?? error))
      .toEqual([500, 500, 'The receiver did not answer within 30 s.', 200]);
    const keys = world.receiver.received.map(({ headers }) => headers['idempotency-key']);
    expect([keys.length, new Set(keys).size]).toEqual([4, 1]);
    await world.clock.advance(10 * minuteMs);
    expect(world.receiver.received).toHaveLength(4);
    expect((await world.alerts.get(tenantId, alert.id)).executionErrors).toEqual([]);
  });

  it('killed between attempts, and during one: the next sender continues with the same key', async () => {
    const world = await Timetable.start([{ status: 500 }, { status: 500 }, 'hang']);
    const { alert } = await world.alerts.create(tenantId, body);
    const evaluator = await world.startEvaluator();
    await world.window(count(7));
    evaluator.kill();
    const statuses = async () => (await world.attempts(alert.id)).map(({ status, error }) => status ?? error);

    for (const tried of [[500], [500, 500]]) {
      const kill = await world.startMortalSender();
      await expect.poll(statuses).toEqual(tried);
      kill();
      await world.clock.advance(2_000);
    }
    const killWhileWaiting = await world.startMortalSender();
    await expect.poll(() => world.receiver.received.length).toBe(3);
    killWhileWaiting();
    // The outcome of that attempt is unknown: the message is free again once the claim of the dead sender expires.
    const killAfterwards = await world.startMortalSender();
    await world.clock.advance(50_000);
    expect(world.receiver.received).toHaveLength(3);
    await world.clock.advance(10_000);
    await expect.poll(statuses).toEqual([500, 500, 200]);
    killAfterwards();
    await world.startSender();
    await world.clock.advance(10 * minuteMs);
    await world.expectGot(Array(4).fill('ALERT'));
    expect(new Set(world.receiver.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(await statuses()).toEqual([500, 500, 200]);
  });

  it('a sender that is stopped in the middle of a try leaves the message to the next one', async () => {
    const world = await Timetable.start(['hang']);
    await world.alerts.create(tenantId, body);
    const [pipeline] = [await world.startSender(), await world.startEvaluator()];
    await world.window(count(7));
    await expect.poll(() => world.receiver.received.length).toBe(1);
    let stopped = false;
    void pipeline.stop().then(() => {
      stopped = true;
    });
    await expect
      .poll(async () => {
        await world.clock.advance(1_000);
        return stopped;
      })
      .toBe(true);
    await world.startSender();
    await world.clock.advance(60_000);
    await world.expectGot(['ALERT', 'ALERT']);
    expect(new Set(world.receiver.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });

  it('down for an hour: the message is sent once it is back, the windows were evaluated all the while', async () => {
    const world = await Timetable.start();
    world.receiver.otherwise = { status: 503 };
    const { alert } = await world.alerts.create(tenantId, body);
    await world.startAll();
    const tries = async () => (await world.attempts(alert.id)).map(({ status }) => status);
    world.reader.answer = () => count(7);
    const step = async () => {
      await world.clock.advance(10_000);
      await expect.poll(async () => (await tries()).length).toBe(world.receiver.received.length);
    };
    for (let passed = 0; passed < 60 * minuteMs; passed += 10_000) await step();
    expect((await world.store.listHistory(tenantId, alert.id, 100)).length).toBeGreaterThanOrEqual(59);
    const failed = await tries();
    expect(new Set(failed)).toEqual(new Set([503]));

    world.receiver.otherwise = { status: 200 };
    for (let passed = 0; passed < 6 * minuteMs; passed += 10_000) await step();
    expect(await tries()).toEqual([...failed, 200]);
    expect(new Set(world.receiver.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    await world.window(count(1));
    await world.expectGot([...Array(failed.length + 1).fill('ALERT'), 'OK']);
  });

  it('U-44: a slow receiver gets the same event with the same key, and delays no evaluation', async () => {
    const world = await Timetable.start(['hang']);
    const { alert } = await world.alerts.create(tenantId, body);
    await world.startAll();
    await world.window(count(7));
    await expect.poll(() => world.receiver.received.length).toBe(1);
    // 8 s are no reason to try again.
    await world.clock.advance(8_000);
    expect(await world.attempts(alert.id)).toEqual([]);
    await world.window(count(8));
    expect((await world.store.listHistory(tenantId, alert.id, 10)).map(({ groups }) => groups[0]?.value)).toEqual([
      8, 7,
    ]);
    await expect
      .poll(async () => {
        await world.clock.advance(1_000);
        return world.receiver.received.length;
      })
      .toBe(2);
    const ids = world.receiver.received.map(({ body: text, headers }) => [
      JSON.parse(text).eventId,
      headers['idempotency-key'],
    ]);
    expect(ids[1]).toEqual(ids[0]);
  });

  it('U-43: a receiver that never answers delays no other one', async () => {
    const world = await Timetable.start(Array.from({ length: 10 }, () => 'hang' as const));
    const other = new ScriptedReceiver();
    const url = await other.start();
    closes.push(() => other.stop());
    const otherId = 'e00000000000000000000009';
    await world.addWebhook(otherId, 'other', url);
    world.store.addWebhook(tenantId, otherId);
    const { channel: _channel, ...rest } = body;
    const channels = [webhookId, otherId].map((id) => ({ type: 'webhook' as const, webhookId: id }));
    await world.alerts.create(tenantId, { ...rest, channels });
    await world.startAll();
    const pods = Object.fromEntries(Array.from({ length: 10 }, (_, pod) => [`p${pod}`, 9]));
    await world.window(countBy('pod', pods));
    await expect.poll(() => other.received.length).toBe(10);
    expect(world.receiver.received.length).toBeLessThanOrEqual(4);
  });

  it('429 with Retry-After: 20 is tried again after 20 s, not earlier', async () => {
    const world = await Timetable.start([{ status: 429, headers: { 'retry-after': '20' } }]);
    const { alert } = await world.alerts.create(tenantId, body);
    await world.startAll();
    await world.window(count(7));
    await expect.poll(async () => (await world.attempts(alert.id)).length).toBe(1);
    await world.clock.advance(19_000);
    expect(world.receiver.received).toHaveLength(1);
    await world.clock.advance(2_000);
    await expect.poll(() => world.receiver.received.length).toBe(2);
  });

  it('U-43: 400 → one try, the error stays visible, the next change is still sent', async () => {
    const world = await Timetable.start([{ status: 400 }]);
    const { alert } = await world.alerts.create(tenantId, body);
    await world.startAll();
    await world.window(count(7));
    await expect.poll(async () => (await world.attempts(alert.id)).length).toBe(1);
    await world.clock.advance(20_000);
    expect(world.receiver.received).toHaveLength(1);
    expect((await world.alerts.get(tenantId, alert.id)).executionErrors).toMatchObject([{ type: 'WEBHOOK_ERROR' }]);
    await world.window(count(1));
    await world.expectGot(['ALERT', 'OK']);
  });

  it('U-43: in trouble for a day: the tries end, the failure stays on the alert, the next change is still sent', async () => {
    const world = await Timetable.start();
    world.receiver.otherwise = { status: 500, headers: { 'retry-after': '3600' } };
    const { alert } = await world.alerts.create(tenantId, { ...body, interval: '1h' });
    await world.startAll();
    world.reader.answer = () => count(7);
    const tries = async () => (await world.attempts(alert.id)).map(({ status }) => status);
    for (let hour = 1; hour <= 26; hour++) {
      await world.clock.advance(60 * minuteMs);
      await expect.poll(async () => (await tries()).length).toBe(world.receiver.received.length);
    }
    // Immediately, and after each of 24 hours.
    expect(await tries()).toEqual(Array(25).fill(500));
    expect((await world.alerts.get(tenantId, alert.id)).executionErrors).toMatchObject([{ type: 'WEBHOOK_ERROR' }]);
    world.receiver.otherwise = { status: 200 };
    world.reader.answer = () => count(1);
    await world.clock.advance(60 * minuteMs);
    await world.expectGot([...Array(25).fill('ALERT'), 'OK']);
    expect((await world.alerts.get(tenantId, alert.id)).executionErrors).toEqual([]);
  });

  it('"resolved" waits for "firing" while the receiver is down', async () => {
    const world = await Timetable.start(Array.from({ length: 6 }, () => ({ status: 503 })));
    const { alert } = await world.alerts.create(tenantId, body);
    await world.startAll();
    await world.window(count(7));
    await expect.poll(async () => (await world.attempts(alert.id)).length).toBe(1);
    await world.window(count(1));
    for (let second = 0; second < 120; second++) await world.clock.advance(1_000);
    await expect
      .poll(async () => {
        await world.clock.advance(1_000);
        return world.got();
      })
      .toEqual([...Array(7).fill('ALERT'), 'OK']);
  });

  it('U-49: fire, resolve, rename, fire, resolve → one event id', async () => {
    const world = await Timetable.start();
    const { alert } = await world.alerts.create(tenantId, body);
    await world.startAll();
    await world.window(count(7));
    await world.window(count(1));
    await world.expectGot(['ALERT', 'OK']);
    await world.alerts.replace(tenantId, alert.id, { ...body, name: 'Renamed' });
    await world.window(count(7));
    await world.window(count(1));
    await world.expectGot(['ALERT', 'OK', 'ALERT', 'OK']);
    const ids = world.receiver.received.map(({ body: text }) => JSON.parse(text).eventId);
    expect(new Set(ids).size).toBe(1);
    expect(String(ids[0]).length).toBeLessThanOrEqual(255);
  });
});

describe('edits (decisions A3)', () => {
  it('U-32: a new message keeps the state; the resolved message has the new text', async () => {
    const world = await Timetable.start();
    const { alert } = await world.alerts.create(tenantId, body);
    await world.startAll();
    await world.window(count(7));
    await world.expectGot(['ALERT']);
    await world.alerts.replace(tenantId, alert.id, { ...body, message: 'new text' });
    expect((await world.alerts.get(tenantId, alert.id)).status).toBe('ALERT');
    await world.window(count(7));
    await world.window(count(1));
    await world.expectGot(['ALERT', 'OK']);
    expect(world.receiver.received[1]?.body).toContain('new text');
  });

  it.each([{ threshold: 6 }, { thresholdType: 'above_exclusive' as const }, { interval: '2m' }])(
    '%j starts again at OK without a message, and fires anew when it still breaks',
    async (change) => {
      const world = await Timetable.start();
      const { alert } = await world.alerts.create(tenantId, body);
      await world.startAll();
      await world.window(count(7));
      await world.expectGot(['ALERT']);
      await world.alerts.replace(tenantId, alert.id, { ...body, ...change });
      expect((await world.alerts.get(tenantId, alert.id)).status).toBe('OK');
      await world.window(count(8));
      await world.window(count(8));
      await world.expectGot(['ALERT', 'ALERT']);
    },
  );

  describe('of the watched tile', () => {
    const reading = (value: number, parts: Partial<Tile>): Reading => {
      const chart = tileToChart(tileOf('line', parts));
      if (chart.kind !== 'chart') throw new Error(chart.reason);
      return { ...count(value), fingerprint: queryFingerprint(chart.chart) };
    };
    const errorsOnly: Partial<Tile> = {
      series: tileOf('line').series?.map((series) => ({ ...series, where: 'SeverityText:error' })) ?? [],
    };

    async function firing(): Promise<{ world: Timetable; status: () => Promise<string> }> {
      const world = await Timetable.start();
      const { alert } = await world.alerts.create(tenantId, body);
      await world.startAll();
      await world.window(reading(7, { name: 'Errors' }));
      await world.expectGot(['ALERT']);
      return { world, status: async () => (await world.alerts.get(tenantId, alert.id)).status };
    }

    it('U-32: another title, another place: nothing happens', async () => {
      const { world, status } = await firing();
      await world.window(reading(7, { name: 'Failures', x: 12, w: 24 }));
      await world.expectGot(['ALERT']);
      expect(await status()).toBe('ALERT');
    });

    it('another query starts again at OK without a message', async () => {
      const { world, status } = await firing();
      await world.window(reading(1, errorsOnly));
      await world.settled();
      expect(world.got()).toEqual(['ALERT']);
      expect(await status()).toBe('OK');
    });

    it('another query whose value breaks the rule as well fires anew', async () => {
      const { world } = await firing();
      await world.window(reading(7, errorsOnly));
      await world.expectGot(['ALERT', 'ALERT']);
    });
  });

  it('switched off while firing: silence, nothing is evaluated; switched on: OK, and only windows from then on', async () => {
    const world = await Timetable.start();
    const { alert } = await world.alerts.create(tenantId, body);
    await world.startAll();
    await world.window(count(7));
    await world.expectGot(['ALERT']);
    expect((await world.alerts.replace(tenantId, alert.id, { ...body, enabled: false })).status).toBe('DISABLED');
    const evaluated = world.reader.windowEnds.length;
    for (let window = 0; window < 3; window++) await world.window(count(1));
    await world.settled();
    expect(world.reader.windowEnds).toHaveLength(evaluated);
    expect((await world.alerts.get(tenantId, alert.id)).status).toBe('DISABLED');
    expect((await world.alerts.replace(tenantId, alert.id, body)).status).toBe('OK');
    const switchedOnMs = world.clock.nowMs();
    await world.window(count(8));
    await world.window(count(8));
    await world.expectGot(['ALERT', 'ALERT']);
    expect(Math.min(...world.reader.windowEnds.slice(evaluated))).toBeGreaterThan(switchedOnMs);
  });

  it('U-31: groups that were cut off keep firing; the alert says so', async () => {
    const world = await Timetable.start();
    const { alert } = await world.alerts.create(tenantId, body);
    await world.startAll();
    await world.window(countBy('pod', { p1: 7 }));
    await world.expectGot(['ALERT(p1)']);
    await world.window({ ...countBy('pod', { p2: 1 }), truncated: true });
    await world.settled();
    expect(world.got()).toEqual(['ALERT(p1)']);
    expect(await world.alerts.get(tenantId, alert.id)).toMatchObject({
      status: 'ALERT',
      executionErrors: [{ type: 'QUERY_ERROR' }],
    });
  });

  it('U-117: deleted and made again with another threshold: the new rule evaluates, nothing is inherited', async () => {
    const world = await Timetable.start();
    const { alert } = await world.alerts.create(tenantId, { ...body, threshold: 1 });
    await world.startAll();
    await world.window(count(5));
    await world.expectGot(['ALERT']);
    await world.alerts.remove(tenantId, alert.id);
    const again = await world.alerts.create(tenantId, { ...body, threshold: 100 });
    await world.window(count(5));
    await world.expectGot(['ALERT']);
    expect((await world.alerts.list(tenantId, {})).alerts).toMatchObject([
      { alert: { id: again.alert.id }, status: 'OK' },
    ]);
  });
});

describe('silences and acknowledgements', () => {
  const inMinutes = (world: Timetable, minutes: number) =>
    new Date(world.clock.nowMs() + minutes * minuteMs).toISOString();

  async function silenced(until: (world: Timetable, id: string) => Promise<unknown>) {
    const world = await Timetable.start();
    const { alert } = await world.alerts.create(tenantId, body);
    await world.startAll();
    await until(world, alert.id);
    return { world, id: alert.id };
  }

  const kinds: [string, (world: Timetable, id: string) => Promise<unknown>][] = [
    ['of the alert', (world, id) => world.marks.silence({ tenantId, id }, 'u', { until: inMinutes(world, 3) })],
    [
      'by its id',
      (world, id) =>
        world.silences.create(tenantId, 'u', { name: 's', match: { alertIds: [id] }, endsAt: inMinutes(world, 3) }),
    ],
    [
      'by a tag of its dashboard',
      (world) =>
        world.silences.create(tenantId, 'u', { name: 's', match: { tags: ['shop'] }, endsAt: inMinutes(world, 3) }),
    ],
    [
      'by a maintenance window',
      (world) => {
        const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
        const recurrence = { days: [...days], from: '00:00', to: '00:03', timezone: 'UTC' };
        return world.silences.create(tenantId, 'u', { name: 's', match: {}, recurrence });
      },
    ],
  ];

  it.each(kinds)(
    'U-34: silenced %s; still breaching when it ends → one message then, and its end',
    async (_kind, by) => {
      const { world, id } = await silenced(by);
      for (const value of [7, 8]) await world.window(count(value));
      await world.expectGot([]);
      expect(await world.alerts.get(tenantId, id)).toMatchObject({ status: 'ALERT' });
      const history = await world.store.listHistory(tenantId, id, 10);
      expect(history.flatMap(({ groups }) => groups.map(({ suppressed }) => suppressed))).toEqual([
        'silenced',
        'silenced',
      ]);
      for (const value of [9, 9, 9]) await world.window(count(value));
      await world.expectGot(['ALERT']);
      await world.window(count(1));
      await world.expectGot(['ALERT', 'OK']);
    },
  );

  it.each(kinds)('U-34: silenced %s; recovered meanwhile → no message at all', async (_kind, by) => {
    const { world } = await silenced(by);
    for (const value of [7, 1, 1, 1, 1]) await world.window(count(value));
    await world.expectGot([]);
  });

  it('one group is silenced, the others are notified', async () => {
    const { world } = await silenced((each) =>
      each.silences.create(tenantId, 'u', {
        name: 's',
        match: { groups: [{ key: 'pod', value: 'p1' }] },
        endsAt: inMinutes(each, 60),
      }),
    );
    await world.window(countBy('pod', { p1: 7, p2: 7 }));
    await world.expectGot(['ALERT(p2)']);
  });

  it('acknowledged: repeats stop; a group that starts later is notified; shown until it has ended', async () => {
    const world = await Timetable.start();
    const { alert } = await world.alerts.create(tenantId, { ...body, repeatInterval: '1m' });
    await world.startAll();
    const named = { tenantId, id: alert.id };
    await expect(world.marks.acknowledge(named, 'u', undefined)).rejects.toThrow('conflict');
    await world.window(countBy('pod', { p1: 7 }));
    await world.expectGot(['ALERT(p1)']);
    expect(await world.marks.acknowledge(named, 'u', 'on it')).toMatchObject({
      acknowledged: { by: 'u', comment: 'on it' },
    });
    await world.window(countBy('pod', { p1: 7 }));
    await world.window(countBy('pod', { p1: 7, p2: 7 }));
    await world.expectGot(['ALERT(p1)', 'ALERT(p2)']);
    await world.window(countBy('pod', { p1: 1, p2: 1 }));
    await expect.poll(() => world.got().toSorted()).toEqual(['ALERT(p1)', 'ALERT(p2)', 'OK(p1)', 'OK(p2)']);
    expect(await world.alerts.get(tenantId, alert.id)).not.toHaveProperty('acknowledged');
  });
});
