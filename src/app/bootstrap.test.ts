import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addUser } from '../access/add-user.ts';
import { FakeIdentityRepository } from '../access/fake-identity-repository.ts';
import { hashCredential } from '../access/key-secret.ts';
import type { TenantTransactions } from '../access/tenant-transactions.ts';
import { FakeClock } from '../kernel/fake-clock.ts';
import { randomIds } from '../kernel/ids.ts';
import { bootstrapStore, type FirstKeys, writeFirstKeys } from './bootstrap.ts';

const clock = new FakeClock();
let identities: FakeIdentityRepository;
let withDefaults: string[];
let store: TenantTransactions;

beforeEach(() => {
  identities = new FakeIdentityRepository();
  withDefaults = [];
  const defaults = {
    createDefaults: async ({ id }: { id: string }) => void withDefaults.push(id),
    ensureBuiltInConnection: async () => {},
  };
  store = { transaction: (work) => identities.transaction((inside) => work({ identities: inside, defaults })) };
});

async function bootstrap(publish?: (keys: FirstKeys) => Promise<void>): Promise<FirstKeys[]> {
  const published: FirstKeys[] = [];
  const remember = async (keys: FirstKeys): Promise<void> => void published.push(keys);
  await bootstrapStore({ store, ids: randomIds, clock, firstDatabase: 'otel', publish: publish ?? remember });
  return published;
}

describe('decisions S1: a self-hosted store without teams', () => {
  it('starts with one team, an owner without password, one personal and one ingestion key', async () => {
    const [keys] = await bootstrap();
    const [team] = await identities.listTenants();
    expect(team).toMatchObject({ kind: 'team', name: 'Default', telemetryDatabase: 'otel' });
    expect(withDefaults).toEqual([team?.id]);
    const users = await identities.listUsers(team?.id ?? '');
    expect(users).toEqual([{ id: users[0]?.id, tenantId: team?.id, role: 'owner', createdAtMs: clock.nowMs() }]);
    const personal = await identities.findKeyByHash(hashCredential(keys?.personalApiKey ?? ''));
    const ingestion = await identities.findKeyByHash(hashCredential(keys?.ingestionApiKey ?? ''));
    expect(personal).toMatchObject({ kind: 'personal', tenantId: team?.id, userId: users[0]?.id });
    expect(ingestion).toMatchObject({ kind: 'ingestion', tenantId: team?.id });
  });

  it('does so once, also when two replicas start together', async () => {
    const published = (await Promise.all([bootstrap(), bootstrap()])).flat();
    expect(published).toHaveLength(1);
    expect(await bootstrap()).toEqual([]);
    expect(await identities.countTenants()).toBe(1);
  });

  it('leaves a store with a team alone', async () => {
    await identities.insertTenant({ id: 'a1', kind: 'team', name: 'Acme', telemetryDatabase: 'otel' });
    expect(await bootstrap()).toEqual([]);
    expect(identities.state.keys).toEqual([]);
  });

  it('keeps nothing when the keys could not be published', async () => {
    const run = bootstrap(async () => {
      throw new Error('disk full');
    });
    await expect(run).rejects.toThrow('disk full');
    expect(Object.values(identities.state).flat()).toEqual([]);
  });

  it('the first person becomes the owner of that team, with the first key; the next ones are members', async () => {
    await bootstrap();
    const [team] = await identities.listTenants();
    const tenantId = team?.id ?? '';
    const ada = await addUser(identities, { ids: randomIds, clock }, { tenantId, email: 'Ada@example.com' });
    const bob = await addUser(identities, { ids: randomIds, clock }, { tenantId, email: 'bob@example.com' });
    expect([ada, bob]).toMatchObject([{ role: 'owner', email: 'ada@example.com' }, { role: 'member' }]);
    expect(identities.state.keys[0]?.userId).toBe(typeof ada === 'object' ? ada.id : undefined);
    expect(await addUser(identities, { ids: randomIds, clock }, { tenantId, email: 'ADA@example.com' })).toBe(
      'emailTaken',
    );
  });
});

describe('first-keys.json', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'signalbox-first-keys-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is written with mode 600 and nothing beside it', async () => {
    const keys = { team: 'Default', personalApiKey: 'p', ingestionApiKey: 'i' };
    const file = await writeFirstKeys(join(folder, 'data'), keys);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(keys);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder, 'data'))).toEqual(['first-keys.json']);
  });
});
