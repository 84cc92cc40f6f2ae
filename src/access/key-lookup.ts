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
 * Finds the valid key behind a credential. Nothing is kept here that could go stale: each answer rests on a question
 * to the store that was put after the request came, so that a revocation counts at once on all replicas (decisions
 * K2). Questions about one key that come together are shared.
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

  /** Nobody waits for it, and its failure refuses nobody. */
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
