import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serviceId, type TestAnswer } from '../../../src/http/testing.ts';
import { sign } from '../../../src/notify/webhook-sender.ts';
import { type Reply, ScriptedReceiver } from '../../support/scripted-receiver.ts';
import { generic, WebhookApi } from './webhook-api.ts';

let receiver: ScriptedReceiver;
let url: string;
beforeEach(async () => {
  receiver = new ScriptedReceiver();
  url = await receiver.start();
});
afterEach(() => receiver.stop());

const unknownId = 'ffffffffffffffffffffffff';
const test = (api: WebhookApi, id: string, key: 'admin' | 'reader' | 'other' = 'admin'): Promise<TestAnswer> =>
  api.send('POST', `/webhooks/${id}/test`, { key });

/** What the API answers when the receiver does this. */
async function outcomeOf(reply: Reply, body: object = {}): Promise<unknown> {
  const api = new WebhookApi();
  const { id } = await api.create({ ...generic, url, ...body });
  receiver.next(reply);
  const answer = await test(api, id);
  expect(answer.status).toBe(200);
  return answer.json;
}

describe('POST /webhooks/{id}/test', () => {
  it('sends one message that says that it is a test, with the webhook’s secrets and signature', async () => {
    const secrets = { headers: { 'X-Token': 's3cret' }, queryParams: { room: '7' }, signingSecret: 'key' };
    expect(await outcomeOf({ status: 204 }, secrets)).toEqual({ data: { delivered: true, status: 204 } });
    const [sent, ...others] = receiver.received;
    expect(others).toEqual([]);
    expect(sent?.url).toBe('/hook?room=7');
    expect(sent?.headers).toMatchObject({ 'x-token': 's3cret', 'idempotency-key': expect.any(String) });
    const text = sent?.body ?? '';
    const timestamp = String(sent?.headers['x-signalbox-timestamp']);
    expect(sent?.headers['x-signalbox-signature']).toBe(`sha256=${sign('key', timestamp, text)}`);
    expect(JSON.parse(text)).toMatchObject({ title: '🚨 Test message from Signalbox', group: { test: 'true' } });
    expect(text).toContain('This is a test message. No action is needed.');
  });

  it('goes through the webhook’s own template', async () => {
    await outcomeOf({ status: 200 }, { body: '{"title": "{{title}}", "value": "{{value}}"}' });
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toEqual({
      title: '🚨 Test message from Signalbox',
      value: '1',
    });
  });

  it.each([400, 404, 429, 500, 503])('a receiver that answers %i: 200 with the status, tried once', async (status) => {
    const error = `The receiver answered ${status}.`;
    expect(await outcomeOf({ status, headers: { 'retry-after': '1' } })).toEqual({
      data: { delivered: false, status, error },
    });
    expect(receiver.received).toHaveLength(1);
  });

  it('decisions A9: redirects are not followed', async () => {
    const outcome = await outcomeOf({ status: 302, headers: { location: '/elsewhere' } });
    expect(outcome).toMatchObject({ data: { delivered: false, status: 302 } });
    expect(receiver.received).toHaveLength(1);
  });

  it('a receiver that is gone: no address in the answer', async () => {
    const api = new WebhookApi();
    const { id } = await api.create({ ...generic, url });
    await receiver.stop();
    const answer = await test(api, id);
    expect(answer.json).toEqual({ data: { delivered: false, error: 'The receiver refused the connection.' } });
    await receiver.start();
  });

  it('a receiver that never answers is given 10 s', async () => {
    const api = new WebhookApi();
    const { id } = await api.create({ ...generic, url });
    receiver.next('hang');
    const answer = test(api, id);
    await expect.poll(() => receiver.received.length).toBe(1);
    await api.time.advance(10_000);
    expect((await answer).json).toEqual({
      data: { delivered: false, error: 'The receiver did not answer within 10 s.' },
    });
  });

  it('decisions A9: 400 for a host that may not be called, also when it was stored before', async () => {
    const api = new WebhookApi();
    const { id } = await api.create({ ...generic, url });
    const stored = await api.webhooks.find(serviceId, id);
    if (!stored) throw new Error('the webhook was not stored');
    await api.webhooks.replace(serviceId, { ...stored, url: 'http://private.test/' });
    const answer = await test(api, id);
    expect([answer.status, api.errorText(answer)]).toEqual([400, expect.stringMatching(/^url: /)]);
  });

  it('decisions A9: the guard checks the address again when it is sent to', async () => {
    const api = new WebhookApi();
    const { id } = await api.create({ ...generic, url: 'http://127.0.0.2:9/' });
    expect((await test(api, id)).json).toEqual({
      data: { delivered: false, error: expect.stringMatching(/^The webhook was not called: /) },
    });
  });

  it('404 for an unknown or foreign webhook, rejected for keys that may only read; nothing is sent', async () => {
    const api = new WebhookApi();
    const { id } = await api.create({ ...generic, url });
    expect((await test(api, unknownId)).status).toBe(404);
    expect((await test(api, id, 'other')).status).toBe(404);
    expect((await test(api, id, 'reader')).status).toBe(403);
    expect(receiver.received).toEqual([]);
  });

  it('takes a JSON body and ignores it', async () => {
    const api = new WebhookApi();
    const { id } = await api.create({ ...generic, url });
    const answer = await api.send('POST', `/webhooks/${id}/test`, { body: {} });
    expect(answer.json).toEqual({ data: { delivered: true, status: 200 } });
  });

  it('takes a JSON content type with an empty body (decisions F8)', async () => {
    const api = new WebhookApi();
    const { id } = await api.create({ ...generic, url });
    const headers = { 'content-type': 'application/json' };
    const answer = await api.send('POST', `/webhooks/${id}/test`, { text: '', headers });
    expect(answer.json).toEqual({ data: { delivered: true, status: 200 } });
  });

  it('U-53: the same body shape as a real one, and a receiver’s rejection is reported', async () => {
    expect(await outcomeOf({ status: 403 })).toMatchObject({ data: { delivered: false, status: 403 } });
    const sent = JSON.parse(receiver.received[0]?.body ?? '');
    const keys = [
      'title',
      'body',
      'link',
      'state',
      'eventId',
      'value',
      'threshold',
      'group',
      'alert',
      'dashboard',
      'tile',
    ];
    expect(Object.keys(sent)).toEqual(expect.arrayContaining(keys));
  });

  it('says what is wrong with a template, and sends the default body', async () => {
    const outcome = await outcomeOf({ status: 200 }, { body: '{"t": "{{alert.nope}}"}' });
    expect(outcome).toEqual({
      data: { delivered: true, status: 200, notice: expect.stringContaining('undefined variable: alert.nope') },
    });
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toHaveProperty('eventId');
  });

  it('previews a built-in template: PagerDuty, with its routing key', async () => {
    const outcome = await outcomeOf({ status: 202 }, { template: 'pagerduty', routingKey: 'R0UT1NG' });
    expect(outcome).toEqual({ data: { delivered: true, status: 202 } });
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
      routing_key: 'R0UT1NG',
      event_action: 'trigger',
      dedup_key: expect.stringMatching(/^test-/),
      payload: { summary: '🚨 Test message from Signalbox', severity: 'error' },
    });
  });

  it('U-47: previews a built-in template: Teams; 202 is delivered', async () => {
    expect(await outcomeOf({ status: 202 }, { template: 'msteams' })).toEqual({
      data: { delivered: true, status: 202 },
    });
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
      type: 'message',
      attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive' }],
    });
  });

  it('is not offered in the managed flavour', async () => {
    expect((await test(new WebhookApi('managed'), unknownId)).status).toBe(404);
  });
});
