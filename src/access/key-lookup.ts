import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import { FreshReads } from './fresh-reads.ts';
import type { ApiKey, ApiKeyStore, KeyKind } from './identity-repository.ts';
import { hashCredential, sameHash } from './key-secret.ts';

/** The moment of use is written at most this often. */
const touchEveryMs = 60_000;

export interface KeyLookupDeps {
  keys: Pick<ApiKeyStore, 'findKeyByHash' | 'touchKey'>;
  clock: Clock;
  logger: Logger;
}

/**
 * Finds the valid key of a credential. Nothing here can go stale: each answer comes from a read of the store that
 * started after the request, so that a revocation takes effect immediately on all replicas (decisions
 * K2). Concurrent reads of one key are shared.
 */
export class KeyLookup {
  readonly #deps: KeyLookupDeps;
  readonly #reads = new FreshReads<ApiKey | undefined>();
  readonly #touching = new Set<string>();

  constructor(deps: KeyLookupDeps) {
    this.#deps = deps;
  }

  /** `undefined` unless the credential belongs to a key of exactly this kind that is neither revoked nor expired. */
  async find(kind: KeyKind, credential: string): Promise<ApiKey | undefined> {
    const hash = hashCredential(credential);
    const key = await this.#reads.read(hash, () => this.#deps.keys.findKeyByHash(hash));
    const nowMs = this.#deps.clock.nowMs();
    if (!key || !sameHash(key.hash, hash) || key.kind !== kind || !isActive(key, nowMs)) return undefined;
    this.#noteUse(key, nowMs);
    return key;
  }

  /** Nothing waits for it, and its failure rejects no request. */
  #noteUse(key: ApiKey, nowMs: number): void {
    if (this.#touching.has(key.id) || nowMs - (key.lastUsedAtMs ?? 0) < touchEveryMs) return;
    this.#touching.add(key.id);
    this.#deps.keys
      .touchKey(key.id, nowMs)
      .catch((error: unknown) => this.#deps.logger.warn({ error, keyId: key.id }, 'last use of a key was not stored'))
      .finally(() => this.#touching.delete(key.id));
  }
}

/** Neither revoked nor expired at `nowMs`. */
export function isActive(key: ApiKey, nowMs: number): boolean {
  return key.revokedAtMs === undefined && (key.expiresAtMs === undefined || nowMs < key.expiresAtMs);
}
