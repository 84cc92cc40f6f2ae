import { addUser, type NewUser } from '../../access/add-user.ts';
import type { User } from '../../access/identity-repository.ts';
import { hashPassword, verifyPassword } from '../../access/passwords.ts';
import type { Tenant } from '../../access/tenants.ts';
import { provisionKey } from './provision-key.ts';
import { createTenant, provisionResources } from './provision-tenant.ts';
import { type Path, ProvisioningProblem } from './provisioning-problem.ts';
import type { ProvisioningRun } from './provisioning-run.ts';
import type { ProvisionedTeam, ProvisionedUser } from './provisioning-schema.ts';

/** One team with everything in it; teams are matched by name. */
export async function provisionTeam(run: ProvisioningRun, team: ProvisionedTeam, path: Path): Promise<void> {
  const existing = await run.scope.identities.findTeamByName(team.name);
  const tenant =
    existing ?? (await createTenant(run, { id: run.ids.hex24(), kind: 'team', name: team.name }, team, path));
  for (const [index, user] of (team.users ?? []).entries()) {
    await provisionUser(run, tenant, user, [...path, 'users', index]);
  }
  await provisionResources(run, tenant, team, path);
}

/** Users are matched by email. The first user of a team becomes its owner. */
async function provisionUser(run: ProvisioningRun, tenant: Tenant, entry: ProvisionedUser, path: Path): Promise<void> {
  const user = await saveUser(run, tenant, entry, path);
  for (const [index, { name, key, role, expiresAt }] of (entry.apiKeys ?? []).entries()) {
    const owner = { kind: 'personal', tenantId: tenant.id, userId: user.id } as const;
    await provisionKey(run, { owner, name, credential: key, role, expiresAt }, [...path, 'apiKeys', index]);
  }
}

async function saveUser(run: ProvisioningRun, tenant: Tenant, entry: ProvisionedUser, path: Path): Promise<User> {
  const { identities } = run.scope;
  const email = entry.email.toLowerCase();
  const stored = await identities.findUserByEmail(email);
  if (stored && stored.tenantId !== tenant.id) {
    throw new ProvisioningProblem([...path, 'email'], 'this user already belongs to another team');
  }
  const changes = {
    ...(entry.name === undefined ? {} : { name: entry.name }),
    ...(entry.password === undefined ? {} : { passwordHash: await keptOrNewHash(stored, entry.password) }),
  };
  if (!stored) return newUser(run, { tenantId: tenant.id, email, ...changes }, path);
  if (Object.keys(changes).length > 0) await identities.updateUser(stored.id, changes);
  return stored;
}

async function newUser(run: ProvisioningRun, person: NewUser, path: Path): Promise<User> {
  const user = await addUser(run.scope.identities, run, person);
  if (user === 'emailTaken') throw new ProvisioningProblem([...path, 'email'], 'this user already exists');
  return user;
}

/** A hash that fits the password stays, so that a second start changes nothing. */
async function keptOrNewHash(stored: User | undefined, password: string): Promise<string> {
  const hash = stored?.passwordHash;
  return hash !== undefined && (await verifyPassword(hash, password)) ? hash : hashPassword(password);
}
