import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { IdentityStore, User } from '../access/identity-repository.ts';
import { createKey, type KeyMakerDeps } from '../access/key-service.ts';
import type { TenantTransactions } from '../access/tenant-transactions.ts';
import { createTeam, type TeamMakerDeps } from './create-team.ts';

/** The keys of a new store, shown once and stored nowhere else. */
export interface FirstKeys {
  team: string;
  personalApiKey: string;
  ingestionApiKey: string;
}

export interface BootstrapDeps extends TeamMakerDeps {
  /** One transaction, one process at a time (`ProvisioningStore` is one). */
  store: TenantTransactions;
  /** Takes the keys before they are committed, so that a crash cannot leave keys that were never shown. */
  publish: (keys: FirstKeys) => Promise<void>;
}

/**
 * A self-hosted store without teams starts with the team `Default`, an owner without password, one personal and one
 * ingestion key (decisions S1). Runs after provisioning; does nothing when there is a team.
 */
export async function bootstrapStore({ store, publish, ...deps }: BootstrapDeps): Promise<void> {
  await store.transaction(async (scope) => {
    const tenants = await scope.identities.listTenants();
    if (tenants.some(({ kind }) => kind === 'team')) return;
    const team = await createTeam(scope, deps, 'Default');
    const owner = await insertNamelessOwner(scope.identities, deps, team.id);
    const personal = { kind: 'personal', tenantId: team.id, userId: owner.id } as const;
    const first = await createKey(scope.identities, deps, personal, { name: 'first key' });
    const ingestion = { kind: 'ingestion', tenantId: team.id } as const;
    const second = await createKey(scope.identities, deps, ingestion, { name: 'first key' });
    await publish({ team: team.name, personalApiKey: first.secret, ingestionApiKey: second.secret });
  });
}

/** The first user to sign up in the web UI becomes this owner. */
async function insertNamelessOwner(identities: IdentityStore, deps: KeyMakerDeps, tenantId: string): Promise<User> {
  const owner: User = { id: deps.ids.hex24(), tenantId, role: 'owner', createdAtMs: deps.clock.nowMs() };
  await identities.insertUser(owner);
  return owner;
}

/** Writes `first-keys.json` (mode 600) into the data folder; answers its path. */
export async function writeFirstKeys(dataFolder: string, keys: FirstKeys): Promise<string> {
  const file = join(dataFolder, 'first-keys.json');
  await mkdir(dataFolder, { recursive: true });
  const handle = await open(`${file}.new`, 'w', 0o600);
  try {
    await handle.chmod(0o600);
    await handle.writeFile(`${JSON.stringify(keys, null, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.new`, file);
  return file;
}
