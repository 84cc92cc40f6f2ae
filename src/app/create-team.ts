import type { KeyMakerDeps } from '../access/key-service.ts';
import { telemetryDatabaseOf } from '../access/telemetry-database.ts';
import type { TenantScope } from '../access/tenant-transactions.ts';
import type { Tenant } from '../access/tenants.ts';

export interface TeamMakerDeps extends KeyMakerDeps {
  /** Telemetry database of the first tenant (decisions S2). */
  firstDatabase: string;
}

/** A team of this name exists already. */
export class TeamNameTaken extends Error {
  constructor() {
    super('A team with this name already exists.');
    this.name = 'TeamNameTaken';
  }
}

/** A new team with its default sources. Works inside a transaction. @throws {TeamNameTaken} */
export async function createTeam(
  { identities, defaults }: TenantScope,
  { ids, clock, firstDatabase }: TeamMakerDeps,
  name: string,
): Promise<Tenant> {
  if (await identities.findTeamByName(name)) throw new TeamNameTaken();
  const id = ids.hex24();
  const telemetryDatabase = telemetryDatabaseOf(id, { tenants: await identities.countTenants(), firstDatabase });
  const team: Tenant = { id, kind: 'team', name, telemetryDatabase };
  if ((await identities.insertTenant(team, clock.nowMs())) === 'taken')
    throw new Error('a new random id exists already');
  await defaults.createDefaults(team);
  return team;
}
