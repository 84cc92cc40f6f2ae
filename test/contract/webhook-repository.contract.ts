import { describe, expect, it } from 'vitest';
import { randomIds } from '../../src/kernel/ids.ts';
import type { OpenStore } from '../../src/metadata/metadata-database.ts';
import type { Webhook, WebhookRepository } from '../../src/resources/webhooks/webhook-repository.ts';
import { insertAlertRow } from '../support/alert-rows.ts';
import { awkwardTexts } from '../support/awkward-texts.ts';

export interface WebhookStoreUnderTest {
  webhooks: WebhookRepository;
  raw: OpenStore;
}

const wholeList = { limit: 1_000, offset: 0 };

/** What every store of webhooks does. Each case has its own tenants, so one store serves all of them. */
export function webhookRepositoryContract(underTest: () => WebhookStoreUnderTest): void {
  const repository = (): WebhookRepository => underTest().webhooks;

  it('records come back as they were written; what is absent stays absent', async () => {
    const tenantId = randomIds.hex24();
    const plain = webhookOf();
    const full = webhookOf({ name: 'full', description: 'd', body: '{{title}}', sealedSecrets: 'v1.a.b.c' });
    for (const webhook of [plain, full]) expect(await repository().insert(tenantId, webhook)).toBe('inserted');
    expect(await repository().find(tenantId, plain.id)).toEqual(plain);
    expect(await repository().find(tenantId, full.id)).toEqual(full);
    expect(await repository().find(tenantId, randomIds.hex24())).toBeUndefined();
  });

  it.each(awkwardTexts)('keeps awkward text and finds by it: $title', async ({ text }) => {
    const tenantId = randomIds.hex24();
    const webhook = webhookOf({ name: text, description: text, body: text });
    await repository().insert(tenantId, webhook);
    expect(await repository().find(tenantId, webhook.id)).toEqual(webhook);
    expect(await repository().findByName(tenantId, 'generic', text)).toEqual(webhook);
  });

  it('lists pages in order of creation, with the number of all', async () => {
    const tenantId = randomIds.hex24();
    const webhooks = ['f', '0', '8', '4'].map((digit) =>
      webhookOf({ id: digit + randomIds.hex24().slice(1), name: `hook ${digit}` }),
    );
    for (const webhook of webhooks) await repository().insert(tenantId, webhook);
    expect(await repository().list(tenantId, wholeList)).toEqual({ webhooks, total: 4 });
    expect(await repository().list(tenantId, { limit: 2, offset: 1 })).toEqual({
      webhooks: webhooks.slice(1, 3),
      total: 4,
    });
    expect(await repository().list(tenantId, { limit: 2, offset: 9 })).toEqual({ webhooks: [], total: 4 });
  });

  describe('names', () => {
    it('are unique among the webhooks of one tenant and service', async () => {
      const tenantId = randomIds.hex24();
      const first = webhookOf({ name: 'ops', service: 'generic' });
      expect(await repository().insert(tenantId, first)).toBe('inserted');
      expect(await repository().insert(tenantId, webhookOf({ name: 'ops', service: 'generic' }))).toBe('nameTaken');
      expect(await repository().insert(tenantId, webhookOf({ name: 'ops', service: 'slack' }))).toBe('inserted');
      expect(await repository().insert(randomIds.hex24(), webhookOf({ name: 'ops' }))).toBe('inserted');
      expect(await repository().findByName(tenantId, 'generic', 'ops')).toEqual(first);
      expect(await repository().findByName(tenantId, 'incidentio', 'ops')).toBeUndefined();
    });

    it('of another webhook are not taken over by a replacement', async () => {
      const tenantId = randomIds.hex24();
      const [one, two] = [webhookOf({ name: 'one' }), webhookOf({ name: 'two' })];
      for (const webhook of [one, two]) await repository().insert(tenantId, webhook);
      expect(await repository().replace(tenantId, { ...two, name: 'one' })).toBe('nameTaken');
      expect(await repository().find(tenantId, two.id)).toEqual(two);
      expect(await repository().replace(tenantId, { ...two, url: 'https://example.com/new' })).toBe('replaced');
    });

    it('released by a replacement or a removal are free again', async () => {
      const tenantId = randomIds.hex24();
      const webhook = webhookOf({ name: 'ops' });
      await repository().insert(tenantId, webhook);
      await repository().replace(tenantId, { ...webhook, name: 'renamed' });
      const successor = webhookOf({ name: 'ops' });
      expect(await repository().insert(tenantId, successor)).toBe('inserted');
      await repository().remove(tenantId, successor.id);
      expect(await repository().insert(tenantId, webhookOf({ name: 'ops' }))).toBe('inserted');
    });

    it('requested 20 times concurrently are assigned once', async () => {
      const tenantId = randomIds.hex24();
      const webhooks = Array.from({ length: 20 }, () => webhookOf({ name: 'ops' }));
      const outcomes = await Promise.all(webhooks.map((webhook) => repository().insert(tenantId, webhook)));
      expect(outcomes.filter((outcome) => outcome === 'inserted')).toHaveLength(1);
      const { total } = await repository().list(tenantId, wholeList);
      expect(total).toBe(1);
    });
  });

  it('replaces the whole record, and only one that is there', async () => {
    const tenantId = randomIds.hex24();
    const webhook = webhookOf({ description: 'd', sealedSecrets: 'v1.a.b.c' });
    await repository().insert(tenantId, webhook);
    const replacement = webhookOf({ id: webhook.id, name: 'renamed' });
    expect(await repository().replace(tenantId, replacement)).toBe('replaced');
    expect(await repository().find(tenantId, webhook.id)).toEqual(replacement);
    expect(await repository().replace(tenantId, webhookOf())).toBe('missing');
  });

  it('replaces nothing when destination or secrets are no longer those that were seen', async () => {
    const tenantId = randomIds.hex24();
    const webhook = { ...webhookOf(), sealedSecrets: 'sealed one' };
    await repository().insert(tenantId, webhook);
    const renamed = { ...webhook, name: 'renamed' };
    expect(await repository().replace(tenantId, renamed, { ...webhook, sealedSecrets: 'sealed zero' })).toBe('stale');
    expect(await repository().replace(tenantId, renamed, { ...webhook, url: 'https://example.com/other' })).toBe(
      'stale',
    );
    expect(await repository().find(tenantId, webhook.id)).toEqual(webhook);
    expect(await repository().replace(tenantId, renamed, webhook)).toBe('replaced');
    expect(await repository().replace(tenantId, webhookOf(), webhook)).toBe('missing');
  });

  describe('removal', () => {
    it('answers whether there was one', async () => {
      const tenantId = randomIds.hex24();
      const webhook = webhookOf();
      await repository().insert(tenantId, webhook);
      expect(await repository().remove(tenantId, webhook.id)).toEqual({ kind: 'removed' });
      expect(await repository().remove(tenantId, webhook.id)).toEqual({ kind: 'missing' });
    });

    it('decisions A10: is rejected with the alerts that use it, in whichever channel', async () => {
      const tenantId = randomIds.hex24();
      const [used, other] = [webhookOf({ name: 'used' }), webhookOf({ name: 'other' })];
      for (const webhook of [used, other]) await repository().insert(tenantId, webhook);
      const { raw } = underTest();
      const first = {
        id: await insertAlertRow(raw, { tenantId, webhookIds: [used.id], name: 'Errors' }),
        name: 'Errors',
      };
      const second = { id: await insertAlertRow(raw, { tenantId, webhookIds: [other.id, used.id] }) };
      await insertAlertRow(raw, { tenantId });
      expect(await repository().remove(tenantId, used.id)).toEqual({
        kind: 'inUse',
        alerts: 2,
        named: [first, second],
      });
      expect(await repository().remove(tenantId, other.id)).toEqual({ kind: 'inUse', alerts: 1, named: [second] });
      expect(await repository().find(tenantId, used.id)).toEqual(used);

      await raw.writes.deleteFrom('alerts').where('tenant_id', '=', tenantId).execute();
      expect(await repository().remove(tenantId, used.id)).toEqual({ kind: 'removed' });
    });

    it('decisions A10: all of them are counted, the oldest three named', async () => {
      const tenantId = randomIds.hex24();
      const webhook = webhookOf();
      await repository().insert(tenantId, webhook);
      const users: { id: string; name: string }[] = [];
      for (const name of ['one', 'two', 'three', 'four', 'five']) {
        users.push({ id: await insertAlertRow(underTest().raw, { tenantId, webhookIds: [webhook.id], name }), name });
      }
      const removal = await repository().remove(tenantId, webhook.id);
      expect(removal).toEqual({ kind: 'inUse', alerts: 5, named: users.slice(0, 3) });
    });

    it('does not mind another tenant’s alert', async () => {
      const tenantId = randomIds.hex24();
      const webhook = webhookOf();
      await repository().insert(tenantId, webhook);
      await insertAlertRow(underTest().raw, { tenantId: randomIds.hex24(), webhookIds: [webhook.id] });
      expect(await repository().remove(tenantId, webhook.id)).toEqual({ kind: 'removed' });
    });
  });

  it('decisions F2: another tenant finds, lists, replaces and removes nothing', async () => {
    const [owner, stranger] = [randomIds.hex24(), randomIds.hex24()];
    const webhook = webhookOf();
    await repository().insert(owner, webhook);
    expect(await repository().find(stranger, webhook.id)).toBeUndefined();
    expect(await repository().findByName(stranger, webhook.service, webhook.name)).toBeUndefined();
    expect(await repository().list(stranger, wholeList)).toEqual({ webhooks: [], total: 0 });
    expect(await repository().replace(stranger, { ...webhook, url: 'https://example.com/stolen' })).toBe('missing');
    expect(await repository().remove(stranger, webhook.id)).toEqual({ kind: 'missing' });
    expect(await repository().find(owner, webhook.id)).toEqual(webhook);
  });
}

function webhookOf(parts: Partial<Webhook> = {}): Webhook {
  return {
    id: randomIds.hex24(),
    name: 'ops',
    service: 'generic',
    url: 'https://example.com/hook',
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    ...parts,
  };
}
