import { expect, it } from 'vitest';
import { onBothStores } from '../../test/support/metadata-stores.ts';
import { invitationSealContext } from '../access/invitation.ts';
import { resealAll } from '../access/reseal.ts';
import { isBoxOf } from '../access/seal-check.ts';
import { SecretBox } from '../access/secret-box.ts';

const [old, both, fresh] = [
  new SecretBox('the old key'),
  new SecretBox('the new key', 'the old key'),
  new SecretBox('the new key'),
];

onBothStores((underTest) => {
  it('every sealed text of the store is found where it is stored, and replaced there alone', async () => {
    const { store, raw } = underTest();
    const tenant_id = 'a team';
    const document = (id: string, field: string) =>
      JSON.stringify({ id, before: '"1.0"', [field]: old.seal(`of ${id}`, id), after: [1] });
    const team = { id: tenant_id, kind: 'team' as const, name: 'Acme', telemetry_database: 'otel', created_at: 0 };
    await raw.writes.insertInto('tenants').values(team).execute();
    const webhook = { tenant_id, service: 'generic', name: 'ops' };
    await raw.writes
      .insertInto('webhooks')
      .values({ ...webhook, id: 'w', document: document('w', 'sealedSecrets') })
      .execute();
    await raw.writes
      .insertInto('webhooks')
      .values({ ...webhook, name: 'open', id: 'x', document: '{"id":"x"}' })
      .execute();
    await raw.writes
      .insertInto('pipes')
      .values({ tenant_id, id: 'p', document: document('p', 'sealedSecrets') })
      .execute();
    await raw.writes
      .insertInto('connections')
      .values({ tenant_id, id: 'c', document: document('c', 'sealedPassword') })
      .execute();
    const email = 'ada@example.com';
    const invited = invitationSealContext({ tenantId: tenant_id, email });
    await store.identities.saveInvitation({
      ...{ id: 'i', tenantId: tenant_id, email, hash: 'a hash', sealedToken: old.seal('of i', invited) },
      ...{ createdAtMs: 0, expiresAtMs: 1 },
    });
    await isBoxOf(old, store.secretKeySeal);

    const before = await store.sealedTexts.list();
    expect(before.map(({ place, id }) => [place, id])).toEqual([
      ['webhooks', 'w'],
      ['pipes', 'p'],
      ['connections', 'c'],
      ['invitations', 'i'],
    ]);
    const { resealed, lost } = await store.transaction((inside) => resealAll(both, inside));
    expect({ resealed, lost }).toEqual({ resealed: 4, lost: [] });
    const after = await store.sealedTexts.list();
    expect(after.map(({ sealed, context }) => fresh.open(sealed, context))).toEqual(before.map(({ id }) => `of ${id}`));
    const [first] = before;
    if (first) expect(await store.sealedTexts.replace(first, 'too late')).toBe(false);
    const { document: text } = await raw.reads
      .selectFrom('pipes')
      .select('document')
      .where('id', '=', 'p')
      .executeTakeFirstOrThrow();
    expect(text.replace(/v1\.[\w.-]+/, '')).toBe(document('p', 'sealedSecrets').replace(/v1\.[\w.-]+/, ''));
    expect(await isBoxOf(fresh, store.secretKeySeal)).toBe(true);
  });
});
