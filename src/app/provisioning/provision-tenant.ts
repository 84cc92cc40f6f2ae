import { telemetryDatabaseOf } from '../../access/telemetry-database.ts';
import type { Tenant } from '../../access/tenants.ts';
import { AppError } from '../../contract/errors.ts';
import { provisionKey } from './provision-key.ts';
import type { ProvisionedKind } from './provisioning-ports.ts';
import { type Path, ProvisioningProblem, problemAtPath } from './provisioning-problem.ts';
import type { ProvisioningRun } from './provisioning-run.ts';
import type { ProvisionedResources } from './provisioning-schema.ts';

/** A new tenant with its defaults: the three sources unless the file lists any (interface). */
export async function createTenant(
  run: ProvisioningRun,
  identity: Omit<Tenant, 'telemetryDatabase'>,
  { sources }: ProvisionedResources,
  path: Path,
): Promise<Tenant> {
  const { identities, defaults } = run.scope;
  const store = { tenants: await identities.countTenants(), firstDatabase: run.firstDatabase };
  const tenant: Tenant = { ...identity, telemetryDatabase: telemetryDatabaseOf(identity.id, store) };
  if ((await identities.insertTenant(tenant, run.clock.nowMs())) === 'taken') {
    throw new ProvisioningProblem(path, 'its id or its telemetry database is already in use');
  }
  if (sources === undefined) await defaults.createDefaults(tenant);
  else await defaults.ensureBuiltInConnection(tenant);
  return tenant;
}

/** What teams and services have in common. Dashboards come after the sources that they read. */
export async function provisionResources(
  run: ProvisioningRun,
  tenant: Tenant,
  entry: ProvisionedResources,
  path: Path,
): Promise<void> {
  const { webhooks, sources, dashboards, pipes } = run.scope;
  for (const [index, { name, key, expiresAt }] of (entry.ingestionKeys ?? []).entries()) {
    const owner = { kind: 'ingestion', tenantId: tenant.id } as const;
    const wanted = { owner, name, credential: key, role: undefined, expiresAt };
    await provisionKey(run, wanted, [...path, 'ingestionKeys', index]);
  }
  await applyAll(tenant, webhooks, { entries: entry.webhooks, path: [...path, 'webhooks'] });
  await applyAll(tenant, sources, { entries: entry.sources, path: [...path, 'sources'] });
  await applyAll(tenant, dashboards, { entries: entry.dashboards, path: [...path, 'dashboards'] });
  await applyAll(tenant, pipes, { entries: entry.pipes, path: [...path, 'pipes'] });
}

async function applyAll<Entry>(
  tenant: Tenant,
  kind: ProvisionedKind<Entry>,
  { entries = [], path }: { entries: readonly Entry[] | undefined; path: Path },
): Promise<void> {
  for (const [index, entry] of entries.entries()) {
    const place = [...path, index];
    await kind.apply(tenant, entry).catch((error: unknown) => {
      throw problemAt(place, error);
    });
  }
}

/** Public texts of resources have the form `tiles.0.name: reason`, or are a sentence. */
function problemAt(place: Path, error: unknown): unknown {
  if (error instanceof ProvisioningProblem) return new ProvisioningProblem([...place, ...error.path], error.reason);
  if (!(error instanceof AppError) || error.code === 'internal') return error;
  const [, path, message] = /^([A-Za-z0-9_.]+): (.+)$/s.exec(error.publicText) ?? [];
  return problemAtPath({ path: path ?? '', message: message ?? error.publicText }, place);
}
