import { afterEach, describe, expect, it } from 'vitest';
import { SecretBox } from '../../../src/access/secret-box.ts';
import { FakeClock } from '../../../src/kernel/fake-clock.ts';
import { randomIds } from '../../../src/kernel/ids.ts';
import { inlineWorkers } from '../../../src/kernel/inline-workers.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { MessageDelivery } from '../../../src/notify/deliver-message.ts';
import { guardedAgent } from '../../../src/notify/guarded-agent.ts';
import { MessageRenderer } from '../../../src/notify/message-renderer.ts';
import { NotificationPipeline } from '../../../src/notify/pipeline.ts';
import { SsrfGuard } from '../../../src/notify/target-guard.ts';
import { WebhookSender } from '../../../src/notify/webhook-sender.ts';
import { FakeWebhookRepository } from '../../../src/resources/webhooks/fake-webhook-repository.ts';
import { alertOf, evaluationOf, messageOf, minuteMs, newYearMs } from '../../support/alert-fixtures.ts';
import { FakeAlertStore } from '../../support/fake-alert-store.ts';
import { type Reply, ScriptedReceiver } from '../../support/scripted-receiver.ts';

const tenantId = 'tenant';
const closes: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closes.splice(0).toReversed()) await close();
});

/** Two senders over one store; each webhook has its own receiver. */
class World {
  readonly clock = new FakeClock();
  readonly store = new FakeAlertStore();
  readonly webhooks = new FakeWebhookRepository();
  #windowEndMs = newYearMs + minuteMs;
  readonly #alert = alertOf();

  async start(): Promise<void> {
    await this.store.transaction((inside) => inside.insert(tenantId, this.#alert, this.#windowEndMs));
    for (const _ of [1, 2]) this.#startSender();
  }

  async receiver(id: string): Promise<ScriptedReceiver> {
    const receiver = new ScriptedReceiver();
    const url = await receiver.start();
    closes.push(() => receiver.stop());
    await this.webhooks.insert(tenantId, {
      id,
      name: id,
      service: 'generic',
      url,
      body: '{{alert.name}}',
      createdAt: '',
      updatedAt: '',
    });
    return receiver;
  }

  /** This many alerts start firing together, named `<from>`, `<from + 1>`, … */
  async fire(webhookId: string, count: number, from: number): Promise<void> {
    const messages = Array.from({ length: count }, (_, index) => {
      const made = messageOf(tenantId, { webhookId, createdAtMs: this.clock.nowMs() });
      const alert = { ...made.notification.alert, id: this.#alert.id, name: `${from + index}` };
      return { ...made, notification: { ...made.notification, alert } };
    });
    const endMs = this.#windowEndMs;
    this.#windowEndMs += minuteMs;
    const leased = {
      tenantId,
      alert: this.#alert,
      epoch: 1,
      nextWindowEndMs: endMs,
      state: { status: 'OK', groups: [] },
    } as const;
    await this.store.commit(evaluationOf(leased, { notifications: messages }));
  }

  /** Advances time until the receiver has received this many requests. */
  async until(receiver: ScriptedReceiver, count: number): Promise<void> {
    await expect
      .poll(async () => {
        await this.clock.advance(1_000);
        return receiver.received.length;
      })
      .toBe(count);
  }

  /** Advances time by this many seconds and lets everything that started meanwhile finish. */
  async pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      await this.clock.advance(1_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #startSender(): void {
    const { clock } = this;
    const dispatcher = guardedAgent(new SsrfGuard(['127.0.0.1']), 5_000);
    const delivery = new MessageDelivery({
      webhooks: this.webhooks,
      box: new SecretBox('a key for tests'),
      sender: new WebhookSender({ dispatcher, clock, timeoutMs: 30_000 }),
      outbox: this.store.outbox,
      clock,
      logger: silentLogger,
      renderer: new MessageRenderer({
        workers: inlineWorkers,
        clock,
        logger: silentLogger,
        tenants: { find: async () => undefined },
        publicUrl: 'https://o.example',
      }),
      firstRetryMs: 1_000,
      random: () => 0.5,
    });
    const pipeline = new NotificationPipeline({
      outbox: this.store.outbox,
      delivery,
      clock,
      ids: randomIds,
      logger: silentLogger,
      concurrency: 100,
      perWebhookMax: 4,
      claimMs: 60_000,
      idlePollMs: 1_000,
      graceMs: 0,
    });
    pipeline.start();
    closes.push(
      () => pipeline.stop(),
      () => dispatcher.destroy(),
    );
  }
}

const names = (receiver: ScriptedReceiver) => receiver.received.map(({ body }) => Number(body));
const busy: Reply = { status: 503, headers: { 'retry-after': '30' } };

describe('a receiver that is busy', () => {
  it('gets no message for 30 s if it asked for that, then one probe, then all in order', async () => {
    const world = new World();
    const receiver = await world.receiver('busy');
    const other = await world.receiver('other');
    receiver.otherwise = busy;
    await world.start();
    await world.fire('busy', 10, 0);
    await world.until(receiver, 4);
    await world.fire('busy', 10, 10);
    await world.fire('other', 3, 0);
    await world.until(other, 3);
    await world.pass(20);
    expect(receiver.received).toHaveLength(4);
    receiver.otherwise = { status: 200 };
    receiver.next(busy);
    await world.until(receiver, 5);
    await world.pass(20);
    expect(names(receiver)[4]).toBe(0);
    expect(receiver.received).toHaveLength(5);
    await world.until(receiver, 25);
    // The probe alone, then four at a time: of those under way together any may arrive first.
    const delivered = names(receiver).slice(5);
    expect(delivered[0]).toBe(0);
    expect(delivered.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index));
    expect(delivered.filter((name, place) => Math.abs(name - place) >= 8)).toEqual([]);
  });

  it('that rejects one message for ever gets the others', async () => {
    const world = new World();
    const receiver = await world.receiver('picky');
    receiver.replyTo = ({ body }) => (body === '0' ? { status: 500 } : undefined);
    await world.start();
    await world.fire('picky', 8, 0);
    await expect
      .poll(async () => {
        await world.clock.advance(1_000);
        return new Set(names(receiver)).size;
      })
      .toBe(8);
  });

  it('that hangs holds up no other', async () => {
    const world = new World();
    const hanging = await world.receiver('hanging');
    const other = await world.receiver('other');
    hanging.otherwise = 'hang';
    await world.start();
    await world.fire('hanging', 50, 0);
    await world.until(hanging, 4);
    await world.fire('other', 20, 0);
    await world.until(other, 20);
    expect(hanging.received.length).toBeLessThanOrEqual(5);
  });
});
