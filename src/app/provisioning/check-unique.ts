import { type Path, ProvisioningProblem } from './provisioning-problem.ts';
import type { ProvisionedResources, Provisioning } from './provisioning-schema.ts';

/** Remembers what was named where. */
class Names {
  readonly #places = new Map<string, Path>();
  readonly #what: string;

  constructor(what: string) {
    this.#what = what;
  }

  add(name: string, path: Path): void {
    const first = this.#places.get(name);
    if (first) throw new ProvisioningProblem(path, `the same ${this.#what} is used at ${first.join('.')}`);
    this.#places.set(name, path);
  }
}

/**
 * Two entries that match the same object contradict each other. Keys are compared across all kinds, since each kind is
 * rejected where another is required (decisions K1).
 * @throws {ProvisioningProblem}
 */
export function checkUnique(provisioning: Provisioning): void {
  const keys = new Names('key');
  checkTeams(provisioning, keys);
  checkOrganizations(provisioning, keys);
}

function checkTeams({ teams = [] }: Provisioning, keys: Names): void {
  const names = new Names('team');
  const emails = new Names('email address');
  for (const [index, team] of teams.entries()) {
    const path: Path = ['teams', index];
    names.add(team.name, [...path, 'name']);
    for (const [position, { email, apiKeys = [] }] of (team.users ?? []).entries()) {
      const user: Path = [...path, 'users', position];
      emails.add(email.toLowerCase(), [...user, 'email']);
      for (const [at, { key }] of apiKeys.entries()) keys.add(key, [...user, 'apiKeys', at, 'key']);
    }
    checkResources(team, path, keys);
  }
}

function checkOrganizations({ organizations = [] }: Provisioning, keys: Names): void {
  const organizationIds = new Names('organization id');
  const serviceIds = new Names('service id');
  const pipeIds = new Names('pipe id');
  const keyIds = new Names('key id');
  for (const [index, { id, apiKeys = [], services = [] }] of organizations.entries()) {
    const path: Path = ['organizations', index];
    organizationIds.add(id.toLowerCase(), [...path, 'id']);
    for (const [at, { keyId }] of apiKeys.entries()) keyIds.add(keyId, [...path, 'apiKeys', at, 'keyId']);
    for (const [at, service] of services.entries()) {
      const place: Path = [...path, 'services', at];
      serviceIds.add(service.id.toLowerCase(), [...place, 'id']);
      for (const [position, pipe] of (service.pipes ?? []).entries()) {
        pipeIds.add(pipe.id.toLowerCase(), [...place, 'pipes', position, 'id']);
      }
      checkResources(service, place, keys);
    }
  }
}

function checkResources(tenant: ProvisionedResources, path: Path, keys: Names): void {
  const { ingestionKeys = [], webhooks = [], sources = [], dashboards = [] } = tenant;
  for (const [at, { key }] of ingestionKeys.entries()) keys.add(key, [...path, 'ingestionKeys', at, 'key']);
  const webhookNames = new Names('webhook');
  for (const [at, { service, name }] of webhooks.entries()) {
    webhookNames.add(`${service} ${name.trim()}`, [...path, 'webhooks', at, 'name']);
  }
  const sourceNames = new Names('source');
  for (const [at, { name }] of sources.entries()) sourceNames.add(name, [...path, 'sources', at, 'name']);
  const dashboardNames = new Names('dashboard');
  for (const [at, { name }] of dashboards.entries()) dashboardNames.add(name, [...path, 'dashboards', at, 'name']);
}
