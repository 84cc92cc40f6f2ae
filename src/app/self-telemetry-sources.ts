import { selfTelemetryDatabaseOf } from '../access/telemetry-database.ts';
import type { Tenant } from '../access/tenants.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Repositories } from '../metadata/repositories.ts';
import { defaultSources } from '../resources/sources/default-sources.ts';
import type { Source } from '../resources/sources/source.ts';

export interface SelfTelemetrySourcesDeps {
  repositories: Pick<Repositories, 'sources' | 'connections'>;
  ids: Ids;
}

/**
 * Sources over the program's own telemetry, apart from the team's data (decisions S1); none where there is none, or
 * where the team has such sources.
 */
export async function createSelfTelemetrySources(
  tenant: Tenant,
  { repositories, ids }: SelfTelemetrySourcesDeps,
): Promise<readonly Source[]> {
  const database = selfTelemetryDatabaseOf(tenant);
  const builtIn = (await repositories.connections.list(tenant.id)).find((connection) => connection.builtIn);
  if (database === undefined || !builtIn) return [];
  const known = await repositories.sources.list(tenant.id);
  if (known.some(({ from }) => from.databaseName === database)) return [];
  const sourceIds = { logs: ids.hex24(), traces: ids.hex24(), metrics: ids.hex24() };
  const home = { connectionId: builtIn.id, database };
  const sources = defaultSources(sourceIds, home).map((source) => ({ ...source, name: `Signalbox ${source.name}` }));
  for (const source of sources) await repositories.sources.insert(tenant.id, source);
  return sources;
}
