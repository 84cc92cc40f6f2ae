import type { DashboardExport } from '../../../contract/dashboard-import.ts';
import { referencesOf } from '../check-references.ts';
import type { Dashboard } from '../dashboard.ts';
import type { KnownNames } from './import-context.ts';

/** The dashboard with the names of the sources, connections and dashboards that it refers to, as far as they exist. */
export function exportDashboard(dashboard: Dashboard, known: KnownNames): DashboardExport {
  const everyTile = dashboard.tiles.map((tile, index) => ({ tile, index }));
  const references = referencesOf(dashboard, everyTile);
  const named = <Named extends { id: string }>(kind: string, all: readonly Named[]): Named[] => {
    const ids = new Set(references.filter((reference) => reference.kind === kind).map(({ id }) => id));
    return all.filter(({ id }) => ids.has(id));
  };
  return {
    ...dashboard,
    references: {
      sources: named('source', known.sources).map(({ id, name, kind }) => ({ id, name, kind })),
      connections: named('connection', known.connections),
      dashboards: named('dashboard', known.dashboards),
    },
  };
}
