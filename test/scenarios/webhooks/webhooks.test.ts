import { describe, expect, it } from 'vitest';
import { serviceId } from '../../../src/http/testing.ts';
import { generic, rejection, slack, WebhookApi } from './webhook-api.ts';

const missingId = 'ffffffffffffffffffffffff';
const headers = { 'X-Token': 's3cr3t-header' };
const queryParams = { token: 's3cr3t-param' };
const signingSecret = 's3cr3t-key';

describe('availability (seed: webhooks are listed self-hosted, not offered managed)', () => {
  it.each([
    ['GET', '/webhooks'],
    ['POST', '/webhooks'],
    ['GET', `/webhooks/${missingId}`],
    ['PUT', `/webhooks/${missingId}`],
    ['DELETE', `/webhooks/${missingId}`],
  ] as const)('managed: %s %s is 404 as JSON', async (method, path) => {
    const body = method === 'POST' || method === 'PUT' ? { body: generic } : {};
    const answer = await new WebhookApi('managed').send(method, path, body);
    expect([answer.status, answer.json]).toEqual([404, { error: expect.any(String), status: 404 }]);
  });

  it('401 without key', async () => {
    expect((await new WebhookApi().send('GET', '/webhooks', { key: 'none' })).status).toBe(401);
  });
});

describe('GET /webhooks', () => {
  it('is empty, with meta and X-Total-Count (contract §1.1)', async () => {
    const answer = await new WebhookApi().send('GET', '/webhooks');
    expect(answer.json).toEqual({ data: [], meta: { total: 0, limit: 1000, offset: 0 } });
    expect(answer.headers['x-total-count']).toBe('0');
  });

  it('pages in order of creation; past the end it is empty with the right total', async () => {
    const api = new WebhookApi();
    for (const name of ['c', 'a', 'b']) await api.create({ ...generic, name });
    expect((await api.list()).map(({ name }) => name)).toEqual(['c', 'a', 'b']);
    const second = await api.send('GET', '/webhooks?limit=1&offset=1');
    expect(second.json).toMatchObject({ data: [{ name: 'a' }], meta: { total: 3, limit: 1, offset: 1 } });
    const beyond = await api.send('GET', '/webhooks?limit=200&offset=200&unknown=x');
    expect(beyond.json).toEqual({ data: [], meta: { total: 3, limit: 200, offset: 200 } });
  });

  it.each(['limit=0', 'limit=-1', 'limit=1001', 'limit=1.5', 'limit=x', 'offset=-1'])('400 for %s', async (query) => {
    expect((await new WebhookApi().send('GET', `/webhooks?${query}`)).status).toBe(400);
  });

  it('decisions F2: shows only the tenant’s own', async () => {
    const api = new WebhookApi();
    await api.create(generic);
    const foreign = await api.send('GET', '/webhooks', { key: 'other' });
    expect(foreign.json).toMatchObject({ data: [], meta: { total: 0 } });
  });

  it('U-107: no secret in any answer', async () => {
    const api = new WebhookApi();
    const body = { ...generic, headers, queryParams, signingSecret };
    const created = await api.send('POST', '/webhooks', { body });
    const { id } = (await api.list())[0] ?? { id: '' };
    const replaced = await api.send('PUT', `/webhooks/${id}`, { body });
    const texts = [created, replaced, await api.send('GET', '/webhooks'), await api.send('GET', `/webhooks/${id}`)];
    for (const { body: text } of texts) expect(text).not.toMatch(/s3cr3t|seal|headers|queryParams|signing/i);
    expect(JSON.stringify(await api.webhooks.find(serviceId, id))).not.toContain('s3cr3t');
    expect(await api.secretsOf(id)).toEqual({ headers, queryParams, signingSecret });
  });
});

describe('POST /webhooks', () => {
  it('answers the record of contract §6; absent stays absent', async () => {
    const api = new WebhookApi();
    const time = '2026-01-01T00:00:00.000Z';
    const record = { id: expect.stringMatching(/^[0-9a-f]{24}$/), createdAt: time, updatedAt: time };
    const sent = { ...generic, description: 'd', body: '{"t":"{{title}}"}' };
    expect(await api.create(sent)).toEqual({ ...record, ...sent });
    expect(await api.create({ ...slack, id: missingId, team: 'x' })).toEqual({ ...record, ...slack });
  });

  it('body is shown of generic webhooks only', async () => {
    const incident = { ...generic, service: 'incidentio', body: '{}', headers };
    expect(await new WebhookApi().create(incident)).not.toHaveProperty('body');
  });

  it('trims the name', async () => {
    expect(await new WebhookApi().create({ ...generic, name: '  ops ' })).toMatchObject({ name: 'ops' });
  });

  it('400 when service and name are taken; the same name with another service is free', async () => {
    const api = new WebhookApi();
    await api.create(generic);
    const again = await api.send('POST', '/webhooks', { body: { ...generic, name: ' ops' } });
    expect([again.status, api.errorText(again)]).toEqual([400, 'name: a generic webhook named "ops" already exists.']);
    await api.create({ ...generic, service: 'incidentio' });
    expect(await api.list()).toHaveLength(2);
  });

  it.each([
    ['service', { service: 'pagerduty' }, 'service: must be one of slack, generic, incidentio'],
    ['missing name', { name: undefined }, 'name: is required'],
    ['blank name', { name: '  ' }, 'name: must not be blank.'],
    ['long name', { name: 'x'.repeat(1025) }, 'name: must have at most 1024 characters'],
    ['url that is none', { url: 'example' }, 'url: must be a complete URL'],
    ['url with a password', { url: 'https://ada:pass@example.org/' }, 'url: must not contain a user name or password'],
    ['url of a file', { url: 'file:///etc/passwd' }, 'url: must start with https:// or http://.'],
    ['long url', { url: `https://example.org/${'x'.repeat(2048)}` }, 'url: must have at most 2048 characters'],
    ['private url', { url: 'http://private.test/' }, `url: ${rejection}`],
    ['long description', { description: 'x'.repeat(2049) }, 'description: must have at most 2048 characters'],
    ['long body', { body: 'x'.repeat(16_385) }, 'body: must have at most 16384 characters'],
    ['control character', { headers: { 'X-A': 'a\r\nX-B: b' } }, 'headers.X-A: the value holds a control character.'],
    ['header beyond Latin-1', { headers: { 'X-A': '€' } }, 'headers.X-A: the value holds a character'],
    ['colon in a header', { headers: { 'X:A': 'a' } }, 'headers: "X:A" is not a header name'],
    ['digit first', { headers: { '1X': 'a' } }, 'headers: "1X" is not a header name'],
    ['empty header name', { headers: { '': 'a' } }, 'headers: "" is not a header name'],
    ['header of the sender', { headers: { Host: 'a' } }, 'headers.Host: is set by the sender itself.'],
    ['long header name', { headers: { ['x'.repeat(257)]: 'a' } }, 'headers: a name is longer than 256'],
    ['long header value', { headers: { a: 'x'.repeat(4097) } }, 'headers.a: must have at most 4096 characters'],
    ['101 headers', { headers: many(101) }, 'headers: must'],
    ['101 parameters', { queryParams: many(101) }, 'queryParams: must'],
    ['long parameter name', { queryParams: { ['x'.repeat(1025)]: 'a' } }, 'queryParams: a name is longer than 1024'],
    ['long parameter', { queryParams: { a: 'x'.repeat(4097) } }, 'queryParams.a: must have at most 4096'],
    ['control in parameter', { queryParams: { a: '\u0000' } }, 'queryParams.a: the value holds a control character.'],
    ['slack elsewhere', { service: 'slack' }, 'url: a slack webhook must point to a host below slack.com'],
    ['U-48', { ...slack, url: 'https://hooks.slack.com.evil.example/x' }, 'url: a slack webhook must point'],
    ['slack with headers', { ...slack, headers }, 'headers: a slack webhook takes no headers.'],
    ['slack with parameters', { ...slack, queryParams }, 'queryParams: a slack webhook takes no queryParams.'],
    ['slack with body', { ...slack, body: '{}' }, 'body: a slack webhook takes no body.'],
  ])('400 for %s, with the reason; nothing is stored', async (_, change, reason) => {
    const api = new WebhookApi();
    const answer = await api.send('POST', '/webhooks', { body: { ...generic, ...change } });
    expect([answer.status, api.errorText(answer)]).toEqual([400, expect.stringContaining(reason)]);
    expect(await api.list()).toEqual([]);
  });

  it('U-48: Slack’s payload may go to another host that the operator has listed', async () => {
    const body = { ...slack, url: 'http://listed.test/chat' };
    expect(await new WebhookApi().create(body)).toMatchObject({ url: body.url });
  });

  it('accepts the longest of everything', async () => {
    const body = {
      ...generic,
      description: 'x'.repeat(2048),
      body: 'x'.repeat(16_384),
      headers: { ...many(99), ['x'.repeat(256)]: 'x'.repeat(4096) },
      queryParams: { ...many(99), ['x'.repeat(1024)]: 'x'.repeat(4096) },
    };
    expect(await new WebhookApi().create(body)).toMatchObject({ name: 'ops' });
  });
});

function many(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 'v']));
}

describe('PUT /webhooks/{id}', () => {
  async function withWebhook() {
    const api = new WebhookApi();
    const sent = { ...generic, description: 'd', body: '{}', headers, queryParams, signingSecret };
    return { api, webhook: await api.create(sent) };
  }

  it('replaces the readable fields; omitted ones are cleared; createdAt stays', async () => {
    const { api, webhook } = await withWebhook();
    await api.time.advance(1000);
    const replaced = await api.put(webhook.id, { ...generic, name: 'renamed' });
    const { createdAt } = webhook;
    const updatedAt = '2026-01-01T00:00:01.000Z';
    expect(replaced).toEqual({ ...generic, id: webhook.id, name: 'renamed', createdAt, updatedAt });
    expect(await api.list()).toEqual([replaced]);
  });

  it('keeps omitted secrets while service and URL stay', async () => {
    const { api, webhook } = await withWebhook();
    await api.put(webhook.id, { ...generic, name: 'renamed' });
    expect(await api.secretsOf(webhook.id)).toEqual({ headers, queryParams, signingSecret });
  });

  it.each([
    ['URL', { url: 'https://elsewhere.example/' }],
    ['service', { service: 'incidentio' }],
  ])('drops omitted secrets when the %s changes, keeps those that are sent again', async (_, change) => {
    const { api, webhook } = await withWebhook();
    await api.put(webhook.id, { ...generic, ...change, headers });
    expect(await api.secretsOf(webhook.id)).toEqual({ headers });
  });

  it('{} and "" clear', async () => {
    const { api, webhook } = await withWebhook();
    await api.put(webhook.id, { ...generic, headers: {}, signingSecret: '' });
    expect(await api.secretsOf(webhook.id)).toEqual({ queryParams });
  });

  it('a PUT of a GET keeps everything but updatedAt', async () => {
    const { api, webhook } = await withWebhook();
    expect(await api.put(webhook.id, webhook)).toEqual(webhook);
    expect(await api.secretsOf(webhook.id)).toEqual({ headers, queryParams, signingSecret });
  });

  it.each([
    ['private URL', { url: 'http://private.test/' }, `url: ${rejection}`],
    ['name that is taken', { name: 'other' }, 'name: a generic webhook named "other" already exists.'],
  ])('400 for a %s, and nothing changes', async (_, change, reason) => {
    const { api, webhook } = await withWebhook();
    await api.create({ ...generic, name: 'other' });
    const answer = await api.send('PUT', `/webhooks/${webhook.id}`, { body: { ...generic, ...change } });
    expect([answer.status, api.errorText(answer)]).toEqual([400, reason]);
    expect((await api.list())[0]).toEqual(webhook);
    expect(await api.secretsOf(webhook.id)).toEqual({ headers, queryParams, signingSecret });
  });

  it('a destination that changes meanwhile never receives the secrets of the old one', async () => {
    const { api, webhook } = await withWebhook();
    const stored = await api.webhooks.find(serviceId, webhook.id);
    if (!stored) throw new Error('no webhook');
    const find = api.webhooks.find.bind(api.webhooks);
    let reads = 0;
    // The second read of the first PUT is followed immediately by another client's PUT.
    api.webhooks.find = async (tenantId, id) => {
      const seen = await find(tenantId, id);
      reads += 1;
      if (reads === 3)
        await api.webhooks.replace(tenantId, { ...stored, url: 'https://elsewhere.example/', sealedSecrets: 'other' });
      return seen;
    };
    await api.put(webhook.id, generic);
    expect(await api.secretsOf(webhook.id)).toEqual({});
  });

  it('decisions D2: 404 before the body is validated', async () => {
    const api = new WebhookApi();
    expect((await api.send('PUT', `/webhooks/${missingId}`, { body: {} })).status).toBe(404);
  });
});

describe('built-in templates', () => {
  const pagerDuty = { ...generic, name: 'pager', template: 'pagerduty' };
  const routingKey = 's3cr3t-routing-key';

  it('come back as written, the routing key never', async () => {
    const api = new WebhookApi();
    const answer = await api.send('POST', '/webhooks', { body: { ...pagerDuty, routingKey } });
    expect(answer.status).toBe(200);
    expect(answer.body).not.toContain('s3cr3t');
    const [listed] = await api.list();
    expect(listed).toMatchObject({ service: 'generic', template: 'pagerduty' });
    expect(listed).not.toHaveProperty('body');
    expect(JSON.stringify(listed)).not.toContain('s3cr3t');
    expect(await api.create({ ...generic, template: 'msteams' })).toMatchObject({ template: 'msteams' });
  });

  it('a PUT of a GET keeps the routing key; another URL needs it again; another body drops it', async () => {
    const api = new WebhookApi();
    const { id } = await api.create({ ...pagerDuty, routingKey });
    await api.put(id, pagerDuty);
    expect(await api.secretsOf(id)).toEqual({ routingKey });
    const moved = { ...pagerDuty, url: 'https://example.org/elsewhere' };
    const refused = await api.send('PUT', `/webhooks/${id}`, { body: moved });
    expect([refused.status, api.errorText(refused)]).toEqual([400, expect.stringMatching(/^routingKey: is required/)]);
    const plain = await api.put(id, { ...generic, name: 'pager' });
    expect(plain).not.toHaveProperty('template');
    expect(await api.secretsOf(id)).toEqual({});
  });

  it.each([
    ['no routing key', pagerDuty, /^routingKey: is required/],
    ['an empty routing key', { ...pagerDuty, routingKey: '' }, /^routingKey: is required/],
    ['a routing key for Teams', { ...generic, template: 'msteams', routingKey }, /^routingKey: belongs/],
    ['a routing key without template', { ...generic, routingKey }, /^routingKey: belongs/],
    ['a body as well', { ...pagerDuty, routingKey, body: '{}' }, /^body: send either/],
    ['service incidentio', { ...pagerDuty, routingKey, service: 'incidentio' }, /^template: built-in/],
    ['service slack', { ...slack, template: 'msteams' }, /^template: a slack webhook/],
    ['an unknown template', { ...generic, template: 'opsgenie' }, /template/],
  ])('400 with %s', async (_title, body, text) => {
    const api = new WebhookApi();
    const answer = await api.send('POST', '/webhooks', { body });
    expect([answer.status, api.errorText(answer)]).toEqual([400, expect.stringMatching(text)]);
    expect(await api.list()).toEqual([]);
  });
});

describe('DELETE /webhooks/{id}', () => {
  it('answers {} and the webhook is gone', async () => {
    const api = new WebhookApi();
    const { id } = await api.create(generic);
    const answer = await api.send('DELETE', `/webhooks/${id}`);
    expect([answer.status, answer.json]).toEqual([200, {}]);
    expect(await api.list()).toEqual([]);
  });

  const named = { id: 'b00000000000000000000001', name: 'Errors' };
  const unnamed = { id: 'b00000000000000000000002' };

  it.each([
    ['1 alert still uses this webhook: "Errors" (b00000000000000000000001); give', [named]],
    [
      '2 alerts still use this webhook: "Errors" (b00000000000000000000001) and b00000000000000000000002; give',
      [named, unnamed],
    ],
    [
      '5 alerts still use this webhook: b00000000000000000000002, "Errors" (b00000000000000000000001), b00000000000000000000002 and 2 more; give',
      [unnamed, named, unnamed, named, named],
    ],
  ])('U-106, decisions A10: 409, which states the number of alerts and names the first: %s', async (text, users) => {
    const api = new WebhookApi();
    const { id } = await api.create(generic);
    api.alerts.set(id, users);
    const answer = await api.send('DELETE', `/webhooks/${id}`);
    expect([answer.status, api.errorText(answer)]).toEqual([409, expect.stringContaining(text)]);
    expect(await api.list()).toHaveLength(1);
  });
});

describe.each(['GET', 'PUT', 'DELETE'] as const)('%s /webhooks/{id}', (method) => {
  it('404 for an unknown, malformed or foreign id (decisions F2, F6)', async () => {
    const api = new WebhookApi();
    const { id } = await api.create(generic);
    const body = method === 'PUT' ? { body: generic } : {};
    const answers = [
      await api.send(method, `/webhooks/${missingId}`, body),
      await api.send(method, '/webhooks/nonsense', body),
      await api.send(method, `/webhooks/${id}`, { ...body, key: 'other' }),
    ];
    for (const answer of answers) expect([answer.status, answer.json]).toEqual([404, { message: 'Webhook not found' }]);
    expect(await api.list()).toHaveLength(1);
  });
});
