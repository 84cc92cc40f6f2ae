import type { ApiKey } from '../../access/identity-repository.ts';
import type { NewKey } from '../../access/key-service.ts';

/** What people may see of a key: never its hash. Moments are ISO 8601, `null` = never. */
export function presentKey(key: ApiKey): object {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix ?? '',
    role: key.role,
    createdAt: new Date(key.createdAtMs).toISOString(),
    expiresAt: moment(key.expiresAtMs),
    lastUsedAt: moment(key.lastUsedAtMs),
    ...(key.cloudKeyId === undefined ? {} : { keyId: key.cloudKeyId, serviceIds: key.serviceIds ?? null }),
  };
}

/** With the secret, for the only time. */
export function presentNewKey({ key, secret }: NewKey): object {
  return { ...presentKey(key), ...(key.kind === 'cloud' ? { keySecret: secret } : { key: secret }) };
}

function moment(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}
