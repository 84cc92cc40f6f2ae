import type { ConnectionRepository } from '../../connections/connection-repository.ts';
import type { Source } from '../../sources/source.ts';
import type { SourceRepository } from '../../sources/source-repository.ts';
import type { Dashboard } from '../dashboard.ts';
import type { DashboardRepository } from '../dashboard-repository.ts';
import type { KnownNames } from './import-context.ts';

export interface KnownNamesDeps {
  sources: Pick<SourceRepository, 'list'>;
  connections: Pick<ConnectionRepository, 'list'>;
  dashboards: Pick<DashboardRepository, 'textParts'>;
}

/** Everything of a tenant that dashboards can refer to. */
export async function knownNames(deps: KnownNamesDeps, tenantId: string): Promise<KnownNames> {
  const [sources, connections] = await Promise.all([deps.sources.list(tenantId), deps.connections.list(tenantId)]);
  const dashboards: KnownNames['dashboards'][number][] = [];
  for await (const texts of deps.dashboards.textParts(tenantId, {})) {
    for (const text of texts) {
      // The stored document is the wire document.
      const { id, name } = JSON.parse(text) as Dashboard;
      dashboards.push({ id, name });
    }
  }
  return {
    sources: sources.map((source) => ({ ...nameOf(source), kind: source.kind, tables: tablesOf(source) })),
    connections: connections.map(nameOf),
    dashboards,
  };
}

function nameOf({ id, name }: { id: string; name: string }) {
  return { id, name };
}

function tablesOf(source: Source): string[] {
  const perType = 'metricTables' in source && source.metricTables ? Object.values(source.metricTables) : [];
  return [source.from.tableName, ...perType].filter(
    (table): table is string => typeof table === 'string' && table !== '',
  );
}
