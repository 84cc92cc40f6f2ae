import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SecretBox } from '../../src/access/secret-box.ts';
import { bootstrapStore, type FirstKeys } from '../../src/app/bootstrap.ts';
import { identityTransactions } from '../../src/app/identity-transactions.ts';
import { applyProvisioning } from '../../src/app/provisioning/apply-provisioning.ts';
import { provisioningStore } from '../../src/app/provisioning/provisioning-store.ts';
import { readProvisioning } from '../../src/app/provisioning/read-provisioning.ts';
import { FakeClock } from '../../src/kernel/fake-clock.ts';
import { randomIds } from '../../src/kernel/ids.ts';
import type { MetadataStore } from '../../src/metadata/open-metadata.ts';
import { openTestMetadata } from '../support/metadata-stores.ts';
import { startPostgres, type TestPostgres } from '../support/start-postgres.ts';

const clock = new FakeClock();
const ids = randomIds;
const firstDatabase = 'otel';
const file = {
  teams: [
    {
      name: 'Acme',
      users: [{ email: 'ada@example.com', apiKeys: [{ name: 'ci', key: '0123456789abcdef0123456789abcdef01234567' }] }],
      ingestionKeys: [{ name: 'default', key: 'ingest-0123456789abcdef0123456789abcdef' }],
      webhooks: [{ name: 'ops', service: 'generic', url: 'https://h.example/hook', headers: { 'X-Token': 's3cret' } }],
      dashboards: [
        { name: 'Shop', tiles: [{ series: [{ sourceId: 'Logs', aggFn: 'count', where: '', groupBy: [] }] }] },
      ],
    },
  ],
};

function provision(metadata: MetadataStore): Promise<string[]> {
  const read = readProvisioning('file.json', JSON.stringify(file), () => undefined);
  const secrets = new SecretBox('one key for all replicas');
  const store = provisioningStore({ metadata, secrets, ids, clock });
  const targets = { check: async () => ({ ok: true }) as const };
  return applyProvisioning(read, 'selfHosted', { store, targets, ids, clock, firstDatabase });
}

async function bootstrap(metadata: MetadataStore): Promise<FirstKeys[]> {
  const published: FirstKeys[] = [];
  const store = identityTransactions({ metadata, ids, clock });
  await bootstrapStore({ store, ids, clock, firstDatabase, publish: async (keys) => void published.push(keys) });
  return published;
}

/** Replicas share a PostgreSQL; the embedded store belongs to one server. */
describe('replicas that start together', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.stop());

  async function withReplicas(work: (first: MetadataStore, all: readonly MetadataStore[]) => Promise<void>) {
    const location = { kind: 'postgres', url: await postgres.createDatabase() } as const;
    const first = await openTestMetadata(location);
    const all = [first, await openTestMetadata(location), await openTestMetadata(location)];
    await work(first, all).finally(() => Promise.all(all.map((store) => store.close())));
  }

  it('provision everything once (interface: idempotent, in one transaction)', () =>
    withReplicas(async ({ identities, sources, webhooks, dashboards }, all) => {
      await Promise.all(all.map(provision));
      const [team, ...others] = await identities.listTenants();
      const tenantId = team?.id ?? '';
      expect(others).toEqual([]);
      expect(await identities.listUsers(tenantId)).toHaveLength(1);
      expect(await identities.listKeys({ tenantId })).toHaveLength(2);
      expect(await sources.list(tenantId)).toHaveLength(3);
      expect((await webhooks.list(tenantId, { limit: 10, offset: 0 })).total).toBe(1);
      expect(await dashboards.listTexts(tenantId, {})).toHaveLength(1);
    }));

  it('make the first team once (decisions S1)', () =>
    withReplicas(async ({ identities }, all) => {
      const published = (await Promise.all(all.map(bootstrap))).flat();
      expect(published).toHaveLength(1);
      expect(await identities.countTenants()).toBe(1);
    }));
});
