import type { ApiKey, ApiKeyChanges } from '../../access/identity-repository.ts';
import { hashCredential } from '../../access/key-secret.ts';
import type { KeyOwner } from '../../access/key-service.ts';
import { type Path, ProvisioningProblem } from './provisioning-problem.ts';
import type { ProvisioningRun } from './provisioning-run.ts';

/** A key as the file has it. */
export interface WantedKey {
  owner: KeyOwner;
  name: string;
  /** What its holder proves it with: the key, or id and secret of a cloud key. */
  credential: string;
  cloudKeyId?: string;
  role: 'admin' | 'read' | undefined;
  expiresAt: string | undefined;
}

/**
 * Keys are matched by hash; a cloud key also by its public half, so that a new secret in the file replaces the old one.
 * A revoked key stays revoked, or a leaked key would come back with the next restart.
 */
export async function provisionKey(run: ProvisioningRun, wanted: WantedKey, path: Path): Promise<void> {
  const { identities } = run.scope;
  const hash = hashCredential(wanted.credential);
  const stored =
    (await identities.findKeyByHash(hash)) ??
    (wanted.cloudKeyId === undefined ? undefined : await identities.findCloudKey(wanted.cloudKeyId));
  if (!stored) {
    await identities.insertKey(newKey(run, wanted, hash, path));
    return;
  }
  if (!sameOwner(stored, wanted.owner)) {
    throw new ProvisioningProblem(path, 'this key already exists with another kind or owner');
  }
  await identities.updateKey(stored.id, changesOf(wanted, hash, path));
  if (stored.revokedAtMs !== undefined) {
    run.warnings.push(`${path.join('.')} was revoked and stays revoked; remove it from the provisioning file`);
  }
}

function newKey(run: ProvisioningRun, wanted: WantedKey, hash: string, path: Path): ApiKey {
  const expiresAtMs = toMs(wanted, path);
  return {
    ...wanted.owner,
    id: run.ids.hex24(),
    name: wanted.name,
    hash,
    role: wanted.role ?? 'admin',
    createdAtMs: run.clock.nowMs(),
    ...(wanted.cloudKeyId === undefined ? {} : { cloudKeyId: wanted.cloudKeyId }),
    ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
  };
}

/** An expiry that the file does not mention stays: a rotation may have set it. */
function changesOf(wanted: WantedKey, hash: string, path: Path): ApiKeyChanges {
  const expiresAtMs = toMs(wanted, path);
  return {
    name: wanted.name,
    hash,
    role: wanted.role ?? 'admin',
    ...(wanted.owner.kind === 'cloud' ? { serviceIds: wanted.owner.serviceIds ?? null } : {}),
    ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
  };
}

function sameOwner(stored: ApiKey, owner: KeyOwner): boolean {
  if (stored.kind !== owner.kind) return false;
  if (owner.kind === 'cloud') return stored.organizationId === owner.organizationId;
  const sameUser = owner.kind === 'ingestion' || stored.userId === owner.userId;
  return sameUser && stored.tenantId === owner.tenantId;
}

function toMs({ expiresAt }: WantedKey, path: Path): number | undefined {
  if (expiresAt === undefined) return undefined;
  const ms = Date.parse(expiresAt);
  if (Number.isNaN(ms)) throw new ProvisioningProblem([...path, 'expiresAt'], 'no such date or time exists');
  return ms;
}
