import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { ApiKey, ApiKeyChanges, ApiKeyStore, IdentityRepository, KeyScope } from './identity-repository.ts';
import { isActive } from './key-lookup.ts';
import { cloudCredential, hashCredential, newCloudKeyId, newKeySecret } from './key-secret.ts';
import { type KeySummary, summarizeKey } from './key-summary.ts';

/** A key as its maker sees it, once: the secret is nowhere else. */
export interface NewKey {
  key: ApiKey;
  secret: string;
}

/** Whose key it is. */
export type KeyOwner =
  | { kind: 'personal'; tenantId: string; userId: string }
  | { kind: 'ingestion'; tenantId: string }
  | { kind: 'cloud'; organizationId: string; serviceIds?: readonly string[] };

export interface KeyTerms {
  name: string;
  role?: 'admin' | 'read';
  expiresAtMs?: number;
}

/** What kept a change of a key from being made. */
export class KeyError extends Error {
  readonly reason: 'missing' | 'inactive';

  constructor(reason: 'missing' | 'inactive') {
    super(reason === 'missing' ? 'There is no such key.' : 'The key is revoked or has expired.');
    this.name = 'KeyError';
    this.reason = reason;
  }
}

/** Enough to distinguish keys; 136 of the 160 bits stay secret. */
const prefixChars = 6;

export interface KeyMakerDeps {
  ids: Ids;
  clock: Clock;
}

/** Makes a key and stores its hash; works inside a transaction. */
export async function createKey(
  store: Pick<ApiKeyStore, 'insertKey'>,
  deps: KeyMakerDeps,
  owner: KeyOwner,
  terms: KeyTerms,
): Promise<NewKey> {
  const secret = newKeySecret(deps.ids);
  const cloud = owner.kind === 'cloud' ? { cloudKeyId: newCloudKeyId(deps.ids) } : {};
  const credential = cloud.cloudKeyId === undefined ? secret : cloudCredential(cloud.cloudKeyId, secret);
  const key: ApiKey = {
    ...owner,
    ...cloud,
    id: deps.ids.hex24(),
    name: terms.name,
    role: terms.role ?? 'admin',
    hash: hashCredential(credential),
    prefix: secret.slice(0, prefixChars),
    createdAtMs: deps.clock.nowMs(),
    ...(terms.expiresAtMs === undefined ? {} : { expiresAtMs: terms.expiresAtMs }),
  };
  if ((await store.insertKey(key)) === 'taken') throw new Error('a new random key exists already');
  return { key, secret };
}

/**
 * Listing, creation, rotation and revocation of keys (decisions K2). With a scope, another owner's key is `missing`;
 * without one, every key of the store can be reached (command line).
 */
export class KeyService {
  readonly #identities: IdentityRepository;
  readonly #deps: KeyMakerDeps;

  constructor(identities: IdentityRepository, deps: KeyMakerDeps) {
    this.#identities = identities;
    this.#deps = deps;
  }

  create(owner: KeyOwner, terms: KeyTerms): Promise<NewKey> {
    return createKey(this.#identities, this.#deps, owner, terms);
  }

  /** By creation, without secrets. */
  async list(scope: KeyScope): Promise<KeySummary[]> {
    const nowMs = this.#deps.clock.nowMs();
    return (await this.#identities.listKeys(scope)).map((key) => summarizeKey(key, nowMs));
  }

  /**
   * Replaces a key by a new one of the same owner, name, role and life span. The old one stays valid for `overlapMs`
   * more (0 = not at all), but not beyond its own expiry. The new one ends at `endsByMs` at the latest.
   * @throws {KeyError} `missing`, or `inactive` when it is no longer valid anyway
   */
  rotate(
    id: string,
    overlapMs: number,
    { scope, endsByMs }: { scope?: KeyScope; endsByMs?: number | undefined } = {},
  ): Promise<NewKey> {
    return this.#identities.transaction(async (store) => {
      const nowMs = this.#deps.clock.nowMs();
      const old = await findInScope(store, id, scope);
      if (!isActive(old, nowMs)) throw new KeyError('inactive');
      const ends = overlapMs === 0 ? { revokedAtMs: nowMs } : { expiresAtMs: endOfOverlap(old, nowMs + overlapMs) };
      await store.updateKey(id, ends);
      return createKey(store, this.#deps, ownerOf(old), endingBy(endsByMs, termsOf(old, nowMs)));
    });
  }

  /**
   * Changes the name and the end of a key; `null` = it never ends.
   * @throws {KeyError} `missing`, or `inactive` when it is no longer valid: it cannot come back
   */
  update(id: string, changes: Pick<ApiKeyChanges, 'name' | 'expiresAtMs'>, scope?: KeyScope): Promise<ApiKey> {
    return this.#identities.transaction(async (store) => {
      const key = await findInScope(store, id, scope);
      if (!isActive(key, this.#deps.clock.nowMs())) throw new KeyError('inactive');
      await store.updateKey(id, changes);
      return findInScope(store, id, scope);
    });
  }

  /** Ends a key immediately and permanently; ending it twice changes nothing. @throws {KeyError} `missing` */
  async revoke(id: string, scope?: KeyScope): Promise<void> {
    await this.#identities.transaction(async (store) => {
      const key = await findInScope(store, id, scope);
      if (key.revokedAtMs === undefined) await store.updateKey(id, { revokedAtMs: this.#deps.clock.nowMs() });
    });
  }
}

/** @throws {KeyError} `missing` */
async function findInScope(
  store: Pick<ApiKeyStore, 'findKey'>,
  id: string,
  scope: KeyScope | undefined,
): Promise<ApiKey> {
  const key = await store.findKey(id);
  if (!key || !isInScope(key, scope)) throw new KeyError('missing');
  return key;
}

function isInScope(key: ApiKey, scope: KeyScope | undefined): boolean {
  if (!scope) return true;
  return 'tenantId' in scope ? key.tenantId === scope.tenantId : key.organizationId === scope.organizationId;
}

function endOfOverlap(old: ApiKey, overlapEndMs: number): number {
  return Math.min(old.expiresAtMs ?? overlapEndMs, overlapEndMs);
}

function termsOf(old: ApiKey, nowMs: number): KeyTerms {
  const terms: KeyTerms = { name: old.name, role: old.role };
  return old.expiresAtMs === undefined ? terms : { ...terms, expiresAtMs: nowMs + old.expiresAtMs - old.createdAtMs };
}

function endingBy(endsByMs: number | undefined, terms: KeyTerms): KeyTerms {
  return endsByMs === undefined ? terms : { ...terms, expiresAtMs: Math.min(endsByMs, terms.expiresAtMs ?? endsByMs) };
}

function ownerOf({ kind, tenantId, userId, organizationId, serviceIds }: ApiKey): KeyOwner {
  if (kind === 'personal' && tenantId !== undefined && userId !== undefined) return { kind, tenantId, userId };
  if (kind === 'ingestion' && tenantId !== undefined) return { kind, tenantId };
  if (kind === 'cloud' && organizationId !== undefined) {
    return serviceIds ? { kind, organizationId, serviceIds } : { kind, organizationId };
  }
  throw new Error(`a stored ${kind} key has no owner`);
}
