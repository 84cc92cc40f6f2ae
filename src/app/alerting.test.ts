import { Registry } from 'prom-client';
import { afterEach, describe, expect, it } from 'vitest';
import { alertOf, minuteMs, newYearMs } from '../../test/support/alert-fixtures.ts';
import { count, countBy, FakeTileReader } from '../../test/support/alert-world.ts';
import { FakeAlertStore } from '../../test/support/fake-alert-store.ts';
import { ScriptedReceiver } from '../../test/support/scripted-receiver.ts';
import { SecretBox } from '../access/secret-box.ts';
import { CleanupStack } from '../kernel/cleanup-stack.ts';
import { FakeClock } from '../kernel/fake-clock.ts';
import { randomIds } from '../kernel/ids.ts';
import { inlineWorkers } from '../kernel/inline-workers.ts';
import { silentLogger } from '../kernel/logger.ts';
import { noTracer } from '../kernel/tracer.ts';
import { SsrfGuard } from '../notify/target-guard.ts';
import { FakeSilenceRepository } from '../resources/silences/fake-silence-repository.ts';
import { FakeWebhookRepository } from '../resources/webhooks/fake-webhook-repository.ts';
import { leaseMs, startAlerting } from './alerting.ts';

const tenantId = 'tenant';
const cleanup = new CleanupStack();
afterEach(() =>
  cleanup.unwind((_name, error) => {
    throw error;
  }),
);

interface Role {
  store: FakeAlertStore;
  reader: FakeTileReader;
  webhooks: FakeWebhookRepository;
  clock: FakeClock;
  delayMs: number;
}

function startRole({ store, reader, webhooks, clock, delayMs }: Role): void {
  startAlerting({
    tenants: { find: async () => undefined },
    repositories: {
      evaluations: store,
      farAlerts: store.farAlerts,
      tileNames: store,
      alertLeases: store,
      outbox: store.outbox,
      oldRecords: store.oldRecords,
      oldDeletedDashboards: store.oldRecords,
      oldDashboardVersions: store.oldRecords,
      webhooks,
      alerts: store,
      silences: new FakeSilenceRepository(),
      dashboards: { find: async () => undefined },
      savedSearches: { find: async () => undefined },
    },
    metrics: new Registry(),
    tracer: noTracer,
    reader,
    samples: { find: async () => [] },
    guard: new SsrfGuard(['127.0.0.1']),
    secrets: new SecretBox('a key for tests'),
    workers: inlineWorkers,
    proxies: { direct: [] },
    publicUrl: 'https://obs.example.com',
    settings: { delayMs, logDays: 30, sendTimeoutMs: 30_000, firstRetryMs: 1_000 },
    clock,
    ids: randomIds,
    logger: silentLogger,
    cleanup,
  });
}

describe('the evaluator role', () => {
  it('sends a message when its window is evaluated, without waiting for the next look at the outbox', async () => {
    const receiver = new ScriptedReceiver([]);
    const url = await receiver.start();
    cleanup.push('receiver', () => receiver.stop());
    const [store, reader, webhooks] = [new FakeAlertStore(), new FakeTileReader(), new FakeWebhookRepository()];
    const alert = alertOf({ threshold: 5 });
    const [channel] = alert.channels;
    const webhook = { id: channel?.webhookId ?? '', name: 'ops', service: 'generic' as const, url };
    await webhooks.insert(tenantId, { ...webhook, createdAt: '', updatedAt: '' });
    await store.transaction((inside) => inside.insert(tenantId, alert, newYearMs + minuteMs));
    reader.answer = () => count(7);
    const clock = new FakeClock();
    // Not a whole second, so that the outbox is not looked at by its own timer when the window is due.
    const delayMs = 10_500;
    startRole({ store, reader, webhooks, clock, delayMs });
    await clock.advance(0);
    await clock.advance(minuteMs + delayMs);
    await expect.poll(() => receiver.received.length).toBe(1);
  });

  it('U-43: ten receivers that never answer keep four messages each, and delay no other receiver', async () => {
    const [hanging, quick] = [new ScriptedReceiver(), new ScriptedReceiver()];
    hanging.otherwise = 'hang';
    const urls = [await hanging.start(), await quick.start()];
    cleanup.push('receiver', () => quick.stop());
    const [store, reader, webhooks] = [new FakeAlertStore(), new FakeTileReader(), new FakeWebhookRepository()];
    const ids = Array.from({ length: 11 }, () => randomIds.hex24());
    const ofUrl = (index: number) => urls[index < 10 ? 0 : 1] ?? '';
    for (const [index, id] of ids.entries()) {
      const webhook = { id, name: id, service: 'generic' as const, url: ofUrl(index) };
      await webhooks.insert(tenantId, { ...webhook, createdAt: '', updatedAt: '' });
    }
    const channels = ids.map((webhookId) => ({ type: 'webhook' as const, webhookId }));
    await store.transaction((inside) => inside.insert(tenantId, alertOf({ channels }), newYearMs + minuteMs));
    const pods = Object.fromEntries(Array.from({ length: 20 }, (_, pod) => [`p${pod}`, 9]));
    reader.answer = () => countBy('pod', pods);
    const clock = new FakeClock();
    startRole({ store, reader, webhooks, clock, delayMs: 0 });
    await clock.advance(0);
    await clock.advance(minuteMs);
    await expect.poll(() => quick.received.length).toBe(20);
    await expect.poll(() => hanging.received.length).toBe(40);
    await clock.advance(5_000);
    expect(hanging.received).toHaveLength(40);
    // The role waits for what is under way when it stops.
    await hanging.stop();
  });

  it('U-38: takes over the alerts of an evaluator that died, within one interval', async () => {
    const [store, reader, webhooks] = [new FakeAlertStore(), new FakeTileReader(), new FakeWebhookRepository()];
    const alert = alertOf();
    await store.transaction((inside) => inside.insert(tenantId, alert, newYearMs + minuteMs));
    const clock = new FakeClock();
    const delayMs = 10_000;
    startRole({ store, reader, webhooks, clock, delayMs });
    await clock.advance(0);
    await clock.advance(minuteMs + delayMs - 1);
    const nowMs = newYearMs + minuteMs + delayMs;
    // The one that dies was a millisecond faster.
    const claim = { owner: 'dead', nowMs, dueBeforeMs: nowMs - delayMs, leaseUntilMs: nowMs + leaseMs, max: 1 };
    expect(await store.claimDue(claim)).toHaveLength(1);
    await clock.advance(minuteMs);
    const [evaluated] = await store.listHistory(tenantId, alert.id, 10);
    expect(evaluated).toMatchObject({ windowEndMs: newYearMs + minuteMs, status: 'OK' });
  });
});
