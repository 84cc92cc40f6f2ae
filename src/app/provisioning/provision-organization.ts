import { cloudCredential } from '../../access/key-secret.ts';
import type { Tenant } from '../../access/tenants.ts';
import { provisionKey } from './provision-key.ts';
import { createTenant, provisionResources } from './provision-tenant.ts';
import { type Path, ProvisioningProblem } from './provisioning-problem.ts';
import type { ProvisioningRun } from './provisioning-run.ts';
import type { ProvisionedCloudKey, ProvisionedOrganization, ProvisionedService } from './provisioning-schema.ts';

/** One organization with its services and cloud keys; both levels are matched by id. */
export async function provisionOrganization(
  run: ProvisioningRun,
  entry: ProvisionedOrganization,
  path: Path,
): Promise<void> {
  const id = entry.id.toLowerCase();
  await run.scope.identities.saveOrganization({ id, name: entry.name }, run.clock.nowMs());
  for (const [index, service] of (entry.services ?? []).entries()) {
    await provisionService(run, id, service, [...path, 'services', index]);
  }
  for (const [index, key] of (entry.apiKeys ?? []).entries()) {
    await provisionCloudKey(run, id, key, [...path, 'apiKeys', index]);
  }
}

async function provisionService(
  run: ProvisioningRun,
  organizationId: string,
  entry: ProvisionedService,
  path: Path,
): Promise<void> {
  const { identities } = run.scope;
  const id = entry.id.toLowerCase();
  const stored = await identities.findTenant(id);
  if (stored && stored.organizationId !== organizationId) {
    throw new ProvisioningProblem([...path, 'id'], 'this service already belongs to another organization');
  }
  if (stored && stored.name !== entry.name) await identities.renameTenant(id, entry.name);
  const identity = { id, kind: 'service', name: entry.name, organizationId } as const;
  const tenant: Tenant = stored ? { ...stored, name: entry.name } : await createTenant(run, identity, entry, path);
  await provisionResources(run, tenant, entry, path);
}

async function provisionCloudKey(
  run: ProvisioningRun,
  organizationId: string,
  { name, keyId, keySecret, role, services, expiresAt }: ProvisionedCloudKey,
  path: Path,
): Promise<void> {
  const serviceIds = services?.map((id) => id.toLowerCase());
  await checkServices(run, organizationId, serviceIds ?? [], [...path, 'services']);
  const owner = { kind: 'cloud', organizationId, ...(serviceIds ? { serviceIds } : {}) } as const;
  const credential = cloudCredential(keyId, keySecret);
  await provisionKey(run, { owner, name, credential, cloudKeyId: keyId, role, expiresAt }, path);
}

/** A key for a service of another organization, or with a mistyped id, would silently give no access. */
async function checkServices(
  { scope }: ProvisioningRun,
  organizationId: string,
  serviceIds: readonly string[],
  path: Path,
): Promise<void> {
  for (const [index, id] of serviceIds.entries()) {
    const service = await scope.identities.findTenant(id);
    if (service?.organizationId === organizationId) continue;
    throw new ProvisioningProblem([...path, index], 'there is no such service in this organization');
  }
}
