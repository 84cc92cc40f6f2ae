import type { ApiKey, ApiKeyStore, KeyScope } from '../../access/identity-repository.ts';
import { isActive } from '../../access/key-lookup.ts';
import { KeyError, type KeyOwner, type KeyService, type KeyTerms, type NewKey } from '../../access/key-service.ts';
import { OrganizationError, type OrganizationService } from '../../access/organization-service.ts';
import { AppError } from '../../contract/errors.ts';
import type { KeyInput, KeyUpdate } from '../../contract/key.ts';
import { limits } from '../../contract/limits.ts';
import type { Clock } from '../../kernel/clock.ts';

export interface KeyRingDeps {
  store: Pick<ApiKeyStore, 'listKeys'>;
  keys: KeyService;
  organizations: Pick<OrganizationService, 'createKey'>;
  clock: Clock;
}

const hourMs = 3_600_000;

/** `endsByMs`: end of the key that asks, if it has one. */
type KeyChange = KeyUpdate & { endsByMs?: number | undefined };

/**
 * The keys of one owner: a person, the collectors of a tenant, or an organization. Others' keys look like missing ones.
 */
export class KeyRing {
  readonly #deps: KeyRingDeps;

  constructor(deps: KeyRingDeps) {
    this.#deps = deps;
  }

  /** By creation, without those that were revoked. */
  async list(owner: KeyOwner): Promise<ApiKey[]> {
    const keys = await this.#deps.store.listKeys(scopeOf(owner));
    return keys.filter((key) => key.revokedAtMs === undefined && isOwnedBy(key, owner));
  }

  /** `endsByMs`: end of the key that asks, if it has one. @throws {AppError} `request_invalid`, `conflict` */
  async create(owner: KeyOwner, { name, role, expiresAt, serviceIds }: KeyInput, endsByMs?: number): Promise<NewKey> {
    const nowMs = this.#deps.clock.nowMs();
    const expiresAtMs = parseExpiry(expiresAt, nowMs);
    rejectLater(expiresAtMs ?? null, endsByMs);
    const terms: KeyTerms = {
      name,
      ...(role === undefined ? {} : { role }),
      ...(typeof expiresAtMs === 'number' ? { expiresAtMs } : {}),
    };
    const valid = (await this.list(owner)).filter((key) => isActive(key, nowMs));
    if (valid.length >= limits.keysPerOwner) {
      throw new AppError('conflict', { public: `There are already ${limits.keysPerOwner} keys; delete one first.` });
    }
    if (owner.kind !== 'cloud') return this.#deps.keys.create(owner, terms);
    const cloudTerms = serviceIds ? { ...terms, serviceIds: serviceIds.map((id) => id.toLowerCase()) } : terms;
    return this.#deps.organizations.createKey(owner.organizationId, cloudTerms).catch(reject);
  }

  /** `endsByMs` as above. @throws {AppError} `key_not_found`, `request_invalid`, `conflict` */
  async update(owner: KeyOwner, id: string, { name, expiresAt, endsByMs }: KeyChange): Promise<ApiKey> {
    await this.require(owner, id);
    const expiresAtMs = parseExpiry(expiresAt, this.#deps.clock.nowMs());
    if (expiresAtMs !== undefined) rejectLater(expiresAtMs, endsByMs);
    const changes = { name, ...(expiresAtMs === undefined ? {} : { expiresAtMs }) };
    return this.#deps.keys.update(id, changes, scopeOf(owner)).catch(reject);
  }

  /**
   * A new key in place of an old one, which counts for `overlapHours` more; it ends at `endsByMs` at the latest.
   * @throws {AppError} `key_not_found`, `conflict`
   */
  async rotate(
    owner: KeyOwner,
    id: string,
    { overlapHours, endsByMs }: { overlapHours: number; endsByMs?: number | undefined },
  ): Promise<NewKey> {
    await this.require(owner, id);
    return this.#deps.keys.rotate(id, overlapHours * hourMs, { scope: scopeOf(owner), endsByMs }).catch(reject);
  }

  /** Ends a key immediately. @throws {AppError} `key_not_found` */
  async remove(owner: KeyOwner, id: string): Promise<void> {
    await this.require(owner, id);
    await this.#deps.keys.revoke(id, scopeOf(owner)).catch(reject);
  }

  /** @throws {AppError} `key_not_found` */
  async require(owner: KeyOwner, id: string): Promise<void> {
    if ((await this.list(owner)).some((key) => key.id === id)) return;
    throw new AppError('key_not_found');
  }
}

function scopeOf(owner: KeyOwner): KeyScope {
  return owner.kind === 'cloud' ? { organizationId: owner.organizationId } : { tenantId: owner.tenantId };
}

function isOwnedBy(key: ApiKey, owner: KeyOwner): boolean {
  return key.kind === owner.kind && (owner.kind !== 'personal' || key.userId === owner.userId);
}

/** `undefined` = not said, `null` = never. @throws {AppError} `request_invalid` */
function parseExpiry(expiresAt: string | null | undefined, nowMs: number): number | null | undefined {
  if (typeof expiresAt !== 'string') return expiresAt;
  const ms = Date.parse(expiresAt);
  if (ms > nowMs) return ms;
  throw new AppError('request_invalid', { public: 'expiresAt: must be in the future.' });
}

/** A key that ends must not live on in another one. @throws {AppError} `request_invalid` */
function rejectLater(expiresAtMs: number | null, endsByMs: number | undefined): void {
  if (endsByMs === undefined || (expiresAtMs !== null && expiresAtMs <= endsByMs)) return;
  const end = new Date(endsByMs).toISOString();
  throw new AppError('request_invalid', {
    public: `expiresAt: must not be later than ${end}, the expiry of the key used for this request.`,
  });
}

function reject(error: unknown): never {
  if (error instanceof KeyError) {
    if (error.reason === 'missing') throw new AppError('key_not_found');
    throw new AppError('conflict', { public: error.message });
  }
  if (error instanceof OrganizationError) throw new AppError('request_invalid', { public: error.message });
  throw error;
}
