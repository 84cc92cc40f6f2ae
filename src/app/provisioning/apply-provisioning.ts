import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { TargetGuard } from '../../resources/webhooks/target-guard-port.ts';
import { provisionOrganization } from './provision-organization.ts';
import { provisionTeam } from './provision-team.ts';
import type { ProvisioningStore } from './provisioning-ports.ts';
import type { ProvisioningRun } from './provisioning-run.ts';
import type { ProvisionedResources, Provisioning } from './provisioning-schema.ts';
import { locatedError, type ReadProvisioning } from './read-provisioning.ts';

export interface ProvisioningDeps {
  store: ProvisioningStore;
  targets: TargetGuard;
  ids: Ids;
  clock: Clock;
  /** Telemetry database of the first tenant (decisions S2). */
  firstDatabase: string;
}

/**
 * Applies a file in one transaction (interface: provisioning file): ids stay, nothing is deleted, provisioned objects
 * are reset to the file, a second time changes nothing. Of a file for both flavours only this flavour's part counts.
 * Answers warnings for the log.
 * @throws {ProvisioningError} naming line and path; nothing is written then
 */
export async function applyProvisioning(
  { provisioning, document }: ReadProvisioning,
  flavour: 'selfHosted' | 'managed',
  { store, targets, ...means }: ProvisioningDeps,
): Promise<string[]> {
  const { own, warnings } = partOf(provisioning, flavour);
  try {
    await store.transaction((scope) => provision({ ...means, scope, warnings }, own));
  } catch (error) {
    throw locatedError(document, error);
  }
  return [...warnings, ...(await blockedTargets(own, targets))];
}

async function provision(run: ProvisioningRun, { teams = [], organizations = [] }: Provisioning): Promise<void> {
  for (const [index, team] of teams.entries()) await provisionTeam(run, team, ['teams', index]);
  for (const [index, organization] of organizations.entries()) {
    await provisionOrganization(run, organization, ['organizations', index]);
  }
}

function partOf(
  { teams = [], organizations = [] }: Provisioning,
  flavour: 'selfHosted' | 'managed',
): { own: Provisioning; warnings: string[] } {
  if (flavour === 'selfHosted') {
    const warnings = organizations.length > 0 ? ['organizations are ignored in the self-hosted flavour'] : [];
    return { own: { teams }, warnings };
  }
  return { own: { organizations }, warnings: teams.length > 0 ? ['teams are ignored in the managed flavour'] : [] };
}

/** Decisions A9: a provisioned webhook with a rejected address loads with a warning and fails at send. */
async function blockedTargets(
  { teams = [], organizations = [] }: Provisioning,
  targets: TargetGuard,
): Promise<string[]> {
  const tenants: ProvisionedResources[] = [...teams, ...organizations.flatMap(({ services = [] }) => services)];
  const webhooks = tenants.flatMap((tenant) => tenant.webhooks ?? []);
  const warnings = webhooks.map(async ({ service, name, url }) => {
    const result = await targets.check(url);
    return result.ok ? [] : [`the ${service} webhook ${JSON.stringify(name)} will fail to send: ${result.reason}`];
  });
  return (await Promise.all(warnings)).flat();
}
