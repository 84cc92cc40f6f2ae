import type { ApiKey, KeyKind } from './identity-repository.ts';
import { isActive } from './key-lookup.ts';

/** Everything about a key that people may see: never the secret, nor its hash. Moments are ISO 8601, `null` = never. */
export interface KeySummary {
  id: string;
  kind: KeyKind;
  name: string;
  /** First characters of the secret; empty if unknown. */
  prefix: string;
  role: 'admin' | 'read';
  state: 'active' | 'expired' | 'revoked';
  createdAt: string;
  expiresAt: string | null;
  revokedAt: string | null;
  lastUsedAt: string | null;
  /** Whose personal key it is. */
  userId?: string;
  /** Public half of a cloud key. */
  keyId?: string;
  /** Services that a cloud key may reach; `null` = all of its organization. */
  serviceIds?: readonly string[] | null;
}

export function summarizeKey(key: ApiKey, nowMs: number): KeySummary {
  return {
    id: key.id,
    kind: key.kind,
    name: key.name,
    prefix: key.prefix ?? '',
    role: key.role,
    state: stateOf(key, nowMs),
    createdAt: new Date(key.createdAtMs).toISOString(),
    expiresAt: moment(key.expiresAtMs),
    revokedAt: moment(key.revokedAtMs),
    lastUsedAt: moment(key.lastUsedAtMs),
    ...(key.userId === undefined ? {} : { userId: key.userId }),
    ...(key.cloudKeyId === undefined ? {} : { keyId: key.cloudKeyId, serviceIds: key.serviceIds ?? null }),
  };
}

function stateOf(key: ApiKey, nowMs: number): KeySummary['state'] {
  if (key.revokedAtMs !== undefined) return 'revoked';
  return isActive(key, nowMs) ? 'active' : 'expired';
}

function moment(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}
