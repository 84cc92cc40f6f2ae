import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../kernel/fake-clock.ts';
import { randomIds } from '../kernel/ids.ts';
import { RecordingLogger } from '../kernel/recording-logger.ts';
import { FakeIdentityRepository } from './fake-identity-repository.ts';
import type { ApiKey } from './identity-repository.ts';
import { CloudKeyAuthenticator, IngestionKeyAuthenticator, PersonalKeyAuthenticator } from './key-authenticators.ts';
import { KeyLookup } from './key-lookup.ts';
import { KeyService, type NewKey } from './key-service.ts';
import { TenantCache } from './tenant-cache.ts';

const organizationId = '6f1c2a5e-0d0b-4f6e-9d0e-3a1b2c4d5e6f';
const serviceId = '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d';
const otherServiceId = '1a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d';
const foreignOrganizationId = '7f1c2a5e-0d0b-4f6e-9d0e-3a1b2c4d5e6f';
const foreignServiceId = '2a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d';
const path = { organizationId, serviceId };

let clock: FakeClock;
let identities: FakeIdentityRepository;
let logger: RecordingLogger;
let keys: KeyService;
let bearer: PersonalKeyAuthenticator;
let basic: CloudKeyAuthenticator;
let ingestion: IngestionKeyAuthenticator;

beforeEach(async () => {
  clock = new FakeClock();
  identities = new FakeIdentityRepository();
  logger = new RecordingLogger();
  keys = new KeyService(identities, { ids: randomIds, clock });
  const lookup = new KeyLookup({ keys: identities, clock, logger });
  bearer = new PersonalKeyAuthenticator(lookup);
  basic = new CloudKeyAuthenticator(lookup, new TenantCache(identities, clock));
  ingestion = new IngestionKeyAuthenticator(lookup);
  await insertServices();
});

async function insertServices(): Promise<void> {
  for (const [id, owner] of [
    [serviceId, organizationId],
    [otherServiceId, organizationId],
    [foreignServiceId, foreignOrganizationId],
  ] as const) {
    const name = 'production';
    await identities.insertTenant({ id, kind: 'service', name, organizationId: owner, telemetryDatabase: id });
  }
}

const personal = (terms = {}): Promise<NewKey> =>
  keys.create({ kind: 'personal', tenantId: 'team', userId: 'ada' }, { name: 'ci', ...terms });
const forIngestion = (): Promise<NewKey> => keys.create({ kind: 'ingestion', tenantId: 'team' }, { name: 'default' });
const cloud = (limits: { serviceIds?: string[] } = {}): Promise<NewKey> =>
  keys.create({ kind: 'cloud', organizationId, ...limits }, { name: 'ci', role: 'read' });
const basicHeader = ({ key, secret }: NewKey): string =>
  `Basic ${Buffer.from(`${key.cloudKeyId}:${secret}`).toString('base64')}`;

describe('personal API access keys', () => {
  it('answer who calls and for which team', async () => {
    const { key, secret } = await personal();
    expect(await bearer.authenticateBearer(`bearer ${secret}`)).toEqual({
      kind: 'personal',
      tenantId: 'team',
      userId: 'ada',
      keyId: key.id,
      role: 'admin',
    });
  });

  it('count up to their expiry and not at it', async () => {
    const { secret } = await personal({ expiresAtMs: clock.nowMs() + 1000 });
    await clock.advance(999);
    expect(await bearer.authenticateBearer(`Bearer ${secret}`)).toBeDefined();
    await clock.advance(1);
    expect(await bearer.authenticateBearer(`Bearer ${secret}`)).toBeUndefined();
  });

  it('are rejected from the moment of their revocation, by every replica (decisions K2)', async () => {
    const { key, secret } = await personal();
    expect(await bearer.authenticateBearer(`Bearer ${secret}`)).toBeDefined();
    await new KeyService(identities, { ids: randomIds, clock }).revoke(key.id);
    expect(await bearer.authenticateBearer(`Bearer ${secret}`)).toBeUndefined();
  });
});

describe('decisions K1: each kind is rejected where another is required', () => {
  it('on the self-hosted API, seed: the ingestion key does not authenticate this API', async () => {
    const [ingest, cloudKey] = [await forIngestion(), await cloud()];
    expect(await bearer.authenticateBearer(`Bearer ${ingest.secret}`)).toBeUndefined();
    expect(await bearer.authenticateBearer(`Bearer ${cloudKey.secret}`)).toBeUndefined();
    expect(await bearer.authenticateBearer(`Bearer ${cloudKey.key.cloudKeyId}:${cloudKey.secret}`)).toBeUndefined();
    expect(await bearer.authenticateBearer(basicHeader(cloudKey))).toBeUndefined();
  });

  it('on the collector, interface: personal API keys are rejected there', async () => {
    const { secret } = await personal();
    expect(await ingestion.authenticateIngestion(secret)).toBeUndefined();
    expect(await ingestion.authenticateIngestion(`Bearer ${secret}`)).toBeUndefined();
    const { key, secret: own } = await forIngestion();
    const principal = { kind: 'ingestion', tenantId: 'team', keyId: key.id, role: 'admin' };
    expect(await ingestion.authenticateIngestion(own)).toEqual(principal);
    expect(await ingestion.authenticateIngestion(`Bearer ${own}`)).toEqual(principal);
  });

  it('on the managed API', async () => {
    const [mine, ingest] = [await personal(), await forIngestion()];
    for (const header of [`Bearer ${mine.secret}`, `Basic ${btoa(`x:${mine.secret}`)}`, ingest.secret]) {
      expect(await basic.authenticateBasic(header, path)).toEqual({ kind: 'unauthenticated' });
    }
  });
});

describe('cloud API keys', () => {
  it('reach the services of their organization, ids in any case', async () => {
    const made = await cloud();
    const principal = { kind: 'cloud', organizationId, tenantId: serviceId, keyId: made.key.id, role: 'read' };
    expect(await basic.authenticateBasic(basicHeader(made), path)).toEqual({ kind: 'principal', principal });
    const upper = { organizationId: organizationId.toUpperCase(), serviceId: serviceId.toUpperCase() };
    expect(await basic.authenticateBasic(basicHeader(made), upper)).toEqual({ kind: 'principal', principal });
  });

  it.each([
    ['another organization', { organizationId: foreignOrganizationId, serviceId: foreignServiceId }],
    ['an organization that does not exist', { organizationId: randomIds.uuid(), serviceId }],
    ['a service of another organization under the own path', { organizationId, serviceId: foreignServiceId }],
    ['a service that does not exist', { organizationId, serviceId: randomIds.uuid() }],
  ])('decisions P4: forbidden for %s', async (_, elsewhere) => {
    expect(await basic.authenticateBasic(basicHeader(await cloud()), elsewhere)).toEqual({ kind: 'forbidden' });
  });

  it('may be limited to some services', async () => {
    const made = await cloud({ serviceIds: [otherServiceId] });
    expect(await basic.authenticateBasic(basicHeader(made), path)).toEqual({ kind: 'forbidden' });
    const other = { organizationId, serviceId: otherServiceId };
    expect((await basic.authenticateBasic(basicHeader(made), other)).kind).toBe('principal');
  });

  it('a wrong secret or an unknown key id is unauthenticated, not forbidden', async () => {
    const made = await cloud();
    const wrong = { ...made, secret: `${made.secret}0` };
    const unknown = { ...made, key: { ...made.key, cloudKeyId: 'AKIDUNKNOWN' } };
    for (const header of [basicHeader(wrong), basicHeader(unknown), 'Basic ???', undefined]) {
      expect(await basic.authenticateBasic(header, path)).toEqual({ kind: 'unauthenticated' });
    }
  });
});

describe('the moment of last use', () => {
  const lastUse = async (key: ApiKey): Promise<number | undefined> => (await identities.findKey(key.id))?.lastUsedAtMs;

  it('is written at most once a minute', async () => {
    const { key, secret } = await personal();
    const start = clock.nowMs();
    await bearer.authenticateBearer(`Bearer ${secret}`);
    expect(await lastUse(key)).toBe(start);
    await clock.advance(59_999);
    await bearer.authenticateBearer(`Bearer ${secret}`);
    expect(await lastUse(key)).toBe(start);
    await clock.advance(1);
    await bearer.authenticateBearer(`Bearer ${secret}`);
    expect(await lastUse(key)).toBe(start + 60_000);
  });

  it('that cannot be written rejects no request and is logged without the key', async () => {
    const { secret } = await personal();
    identities.touchKey = async () => {
      throw new Error('store is read-only');
    };
    expect(await bearer.authenticateBearer(`Bearer ${secret}`)).toBeDefined();
    await expect.poll(() => logger.lines.length).toBe(1);
    expect(JSON.stringify(logger.lines)).not.toContain(secret);
  });
});

it('decisions K2: hashes are compared in constant time, in one place', () => {
  const folder = import.meta.dirname;
  expect(readFileSync(join(folder, 'key-secret.ts'), 'utf8')).toContain('timingSafeEqual(a, b)');
  const lookup = readFileSync(join(folder, 'key-lookup.ts'), 'utf8');
  expect(lookup).toContain('sameHash(key.hash, hash)');
  expect(lookup).not.toMatch(/hash [!=]==? /);
});
