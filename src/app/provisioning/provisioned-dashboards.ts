import { isDeepStrictEqual } from 'node:util';
import type { Tenant } from '../../access/tenants.ts';
import { type CreateDashboard, CreateDashboardSchema } from '../../contract/dashboard.ts';
import { bodyCheck } from '../../http/schema-check.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { ConnectionRepository } from '../../resources/connections/connection-repository.ts';
import { changeText } from '../../resources/dashboards/change-text.ts';
import type { Dashboard } from '../../resources/dashboards/dashboard.ts';
import type { DashboardChange } from '../../resources/dashboards/dashboard-history.ts';
import type { DashboardRepository, StoredDashboard } from '../../resources/dashboards/dashboard-repository.ts';
import { DashboardService } from '../../resources/dashboards/dashboard-service.ts';
import { RepositorySourceLookup } from '../../resources/dashboards/repository-source-lookup.ts';
import { uncheckedStatements } from '../../resources/dashboards/statement-check.ts';
import { tilesLosingAlerts } from '../../resources/dashboards/tile-alerts.ts';
import type { SourceRepository } from '../../resources/sources/source-repository.ts';
import { keepDashboardIds } from './keep-dashboard-ids.ts';
import { withSourceIds } from './name-sources.ts';
import type { ProvisionedKind } from './provisioning-ports.ts';
import { problemAtPath } from './provisioning-problem.ts';

export interface ProvisionedDashboardsDeps {
  dashboards: DashboardRepository;
  sources: SourceRepository;
  connections: ConnectionRepository;
  ids: Ids;
  clock: Clock;
}

const check = bodyCheck(CreateDashboardSchema);

/** Dashboards of the provisioning file, matched by name; a source may be given by its name. */
export class ProvisionedDashboards implements ProvisionedKind<{ name: string }> {
  readonly #deps: ProvisionedDashboardsDeps;
  readonly #service: DashboardService;

  constructor(deps: ProvisionedDashboardsDeps) {
    this.#deps = deps;
    const sources = new RepositorySourceLookup(deps.sources, deps.connections);
    this.#service = new DashboardService({
      dashboards: deps.dashboards,
      sources,
      statements: uncheckedStatements,
      ids: deps.ids,
      clock: deps.clock,
    });
  }

  async apply(tenant: Tenant, entry: { name: string }): Promise<void> {
    const wanted = await this.#validated(tenant, entry);
    const stored = await this.#deps.dashboards.findByName(tenant.id, entry.name);
    if (stored) await this.#reset(tenant, stored, keepDashboardIds(stored.dashboard, wanted));
    else {
      const change = this.#change('Created');
      await this.#deps.dashboards.transaction((transaction) => transaction.insert(tenant.id, wanted, change));
    }
  }

  #change(summary: string): DashboardChange {
    return { atMs: this.#deps.clock.nowMs(), by: 'provisioning', summary };
  }

  async #validated(tenant: Tenant, entry: { name: string }): Promise<Dashboard> {
    const sources = await this.#deps.sources.list(tenant.id);
    const body = withSourceIds(entry, new Map(sources.map(({ name, id }) => [name, id])));
    const [shape] = check(body);
    if (shape) throw problemAtPath(shape);
    // `check` found it to be one.
    const { dashboard, problems } = await this.#service.validateNew(tenant.id, body as CreateDashboard);
    if (problems[0]) throw problemAtPath(problems[0]);
    return dashboard;
  }

  async #reset(tenant: Tenant, { dashboard: before, version }: StoredDashboard, after: Dashboard): Promise<void> {
    if (isDeepStrictEqual(before, after)) return;
    const change = this.#change(changeText(before, after));
    await this.#deps.dashboards.transaction(async (transaction) => {
      await transaction.save(tenant.id, { dashboard: after, expectedVersion: version, change });
      const losing = tilesLosingAlerts(before, after);
      if (losing.length > 0) await transaction.removeAlerts(tenant.id, after.id, losing);
    });
  }
}
