import type { Quiet, Quieting } from '../../evaluator/ports.ts';
import type { Alert, AlertMarks } from '../alerts/alert.ts';
import type { AlertRepository } from '../alerts/alert-repository.ts';
import type { DashboardRepository } from '../dashboards/dashboard-repository.ts';
import type { SavedSearchRepository } from '../saved-searches/saved-search-repository.ts';
import { isActive, isSilenced } from './is-silenced.ts';
import type { SilenceRepository } from './silence-repository.ts';

export interface SilenceQuietingParts {
  silences: Pick<SilenceRepository, 'listUnended'>;
  alerts: Pick<AlertRepository, 'findMarks'>;
  dashboards: Pick<DashboardRepository, 'find'>;
  savedSearches: Pick<SavedSearchRepository, 'find'>;
}

/** What keeps an alert from telling: silences of the tenant, a silence of its own, an acknowledgement. */
export class SilenceQuieting implements Quieting {
  readonly #parts: SilenceQuietingParts;

  constructor(parts: SilenceQuietingParts) {
    this.#parts = parts;
  }

  async of(tenantId: string, alert: Alert, instantsMs: readonly number[]): Promise<Quiet> {
    const { silences, alerts } = this.#parts;
    const [unended, marks] = await Promise.all([
      silences.listUnended(tenantId, Math.min(...instantsMs)),
      alerts.findMarks(tenantId, alert.id),
    ]);
    const byTag = unended.some(({ match }) => match.tags !== undefined);
    const silenceable = { id: alert.id, tags: byTag ? await this.#tagsOf(tenantId, alert) : [] };
    const itself = instantsMs.some((atMs) => isSilencedItself(marks, atMs));
    return (group, firingSinceMs) => {
      if (itself || instantsMs.some((atMs) => isSilenced(unended, silenceable, group, atMs))) return 'silenced';
      return isAcknowledged(marks, firingSinceMs) ? 'acknowledged' : undefined;
    };
  }

  async #tagsOf(tenantId: string, { dashboardId, savedSearchId }: Alert): Promise<readonly string[]> {
    const { dashboards, savedSearches } = this.#parts;
    if (savedSearchId !== undefined) return (await savedSearches.find(tenantId, savedSearchId))?.tags ?? [];
    const stored = dashboardId === undefined ? undefined : await dashboards.find(tenantId, dashboardId);
    return stored?.dashboard.tags ?? [];
  }
}

function isSilencedItself({ silenced }: AlertMarks, atMs: number): boolean {
  return silenced !== undefined && isActive({ startsAt: silenced.at, endsAt: silenced.until }, atMs);
}

/** What started after somebody said so is news. */
function isAcknowledged({ acknowledged }: AlertMarks, firingSinceMs: number): boolean {
  return acknowledged !== undefined && firingSinceMs <= Date.parse(acknowledged.at);
}
