import { describe, expect, it } from 'vitest';
import { messageOf, newYearMs } from '../../test/support/alert-fixtures.ts';
import { SecretBox } from '../access/secret-box.ts';
import { FakeClock } from '../kernel/fake-clock.ts';
import { silentLogger } from '../kernel/logger.ts';
import { FakeWebhookRepository } from '../resources/webhooks/fake-webhook-repository.ts';
import { MessageDelivery } from './deliver-message.ts';
import type { SendOutcome } from './webhook-sender.ts';

/** One try of one message, whose receiver answers so after a quarter of a second. */
async function tryOnce(outcome: SendOutcome, signal = new AbortController().signal) {
  const clock = new FakeClock(newYearMs);
  const webhooks = new FakeWebhookRepository();
  const message = messageOf('tenant', { createdAtMs: newYearMs });
  await webhooks.insert('tenant', {
    id: message.webhookId,
    name: 'ops',
    service: 'generic',
    url: 'http://127.0.0.1/',
    createdAt: '',
    updatedAt: '',
  });
  const tried: string[] = [];
  const delivery = new MessageDelivery({
    webhooks,
    box: new SecretBox('a key for tests'),
    sender: {
      send: async () => {
        await clock.advance(250);
        return outcome;
      },
    },
    outbox: { record: async () => {} },
    clock,
    logger: silentLogger,
    renderer: { render: async () => ({ body: '{}', contentType: 'application/json', problems: [] }) },
    firstRetryMs: 1_000,
    random: () => 0.5,
    metrics: { tried: (kind, durationMs) => void tried.push(`${kind} ${durationMs}`) },
  });
  await delivery.deliver({ message, attempts: 0, claim: 'one', receiverFailures: 0 }, signal);
  return tried;
}

describe('each try is counted once, by what follows from it', () => {
  it.each<[string, SendOutcome]>([
    ['delivered', { kind: 'delivered', status: 200 }],
    ['retried', { kind: 'failed', recoverable: true, error: 'The receiver answered 503.', status: 503 }],
    ['failed', { kind: 'failed', recoverable: false, error: 'The receiver answered 404.', status: 404 }],
  ])('%s', async (kind, outcome) => {
    expect(await tryOnce(outcome)).toEqual([`${kind} 250`]);
  });

  it('interrupted, when the program stops meanwhile', async () => {
    const outcome: SendOutcome = { kind: 'failed', recoverable: true, error: 'x' };
    expect(await tryOnce(outcome, AbortSignal.abort())).toEqual(['interrupted 250']);
  });
});
