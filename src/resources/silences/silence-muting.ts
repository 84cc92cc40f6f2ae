import type { MuteCheck, Muting } from '../../evaluator/ports.ts';
import { Batcher } from '../../kernel/batcher.ts';
import type { Alert, AlertMarks } from '../alerts/alert.ts';
import type { AlertRepository } from '../alerts/alert-repository.ts';
import type { DashboardRepository } from '../dashboards/dashboard-repository.ts';
import type { SavedSearchRepository } from '../saved-searches/saved-search-repository.ts';
import { isActive, isSilenced } from './is-silenced.ts';
import type { Silence, SilenceRepository } from './silence-repository.ts';

export interface SilenceMutingDeps {
  silences: Pick<SilenceRepository, 'listUnended'>;
  alerts: Pick<AlertRepository, 'findMarks'>;
  dashboards: Pick<DashboardRepository, 'find'>;
  savedSearches: Pick<SavedSearchRepository, 'find'>;
}

/** An alert that is about to send notifications. */
interface Asked {
  tenantId: string;
  alert: Alert;
  instantsMs: readonly number[];
}

/** What was looked up once for all alerts of a tenant in one batch. */
interface Known {
  unended: readonly Silence[];
  marks: ReadonlyMap<string, AlertMarks>;
  /** By dashboard or saved search. */
  tags: Map<string, Promise<readonly string[]>>;
}

/**
 * Suppresses notifications: silences of the tenant, the alert's own silence, an acknowledgement. When many alerts
 * fire at the same time, they are looked up once for all of them.
 */
export class SilenceMuting implements Muting {
  readonly #deps: SilenceMutingDeps;
  readonly #asked = new Batcher<Asked, MuteCheck>((all) => this.#answer(all));

  constructor(deps: SilenceMutingDeps) {
    this.#deps = deps;
  }

  of(tenantId: string, alert: Alert, instantsMs: readonly number[]): Promise<MuteCheck> {
    return this.#asked.add({ tenantId, alert, instantsMs });
  }

  #answer(all: readonly Asked[]): Promise<MuteCheck>[] {
    const known = new Map<string, Promise<Known>>();
    return all.map((asked) => {
      const { tenantId } = asked;
      const ofTenant = known.get(tenantId) ?? this.#lookUp(tenantId, all);
      known.set(tenantId, ofTenant);
      return this.#muteCheckOf(asked, ofTenant);
    });
  }

  async #lookUp(tenantId: string, all: readonly Asked[]): Promise<Known> {
    const { silences, alerts } = this.#deps;
    const own = all.filter((asked) => asked.tenantId === tenantId);
    const earliestMs = own.reduce((least, { instantsMs }) => Math.min(least, ...instantsMs), Number.POSITIVE_INFINITY);
    const ids = new Set(own.map(({ alert }) => alert.id));
    const [unended, marks] = await Promise.all([
      silences.listUnended(tenantId, earliestMs),
      alerts.findMarks(tenantId, [...ids]),
    ]);
    return { unended, marks, tags: new Map() };
  }

  async #muteCheckOf({ tenantId, alert, instantsMs }: Asked, lookedUp: Promise<Known>): Promise<MuteCheck> {
    const known = await lookedUp;
    const { unended } = known;
    const marks = known.marks.get(alert.id) ?? {};
    const byTag = unended.some(({ match }) => match.tags !== undefined);
    const silenceable = { id: alert.id, tags: byTag ? await this.#tagsOf(tenantId, alert, known) : [] };
    const itself = instantsMs.some((atMs) => isSilencedItself(marks, atMs));
    return (group, firingSinceMs) => {
      if (itself || instantsMs.some((atMs) => isSilenced(unended, silenceable, group, atMs))) return 'silenced';
      return isAcknowledged(marks, firingSinceMs) ? 'acknowledged' : undefined;
    };
  }

  #tagsOf(tenantId: string, alert: Alert, { tags }: Known): Promise<readonly string[]> {
    const watched = alert.savedSearchId ?? alert.dashboardId ?? '';
    const found = tags.get(watched) ?? this.#findTags(tenantId, alert);
    tags.set(watched, found);
    return found;
  }

  async #findTags(tenantId: string, { dashboardId, savedSearchId }: Alert): Promise<readonly string[]> {
    const { dashboards, savedSearches } = this.#deps;
    if (savedSearchId !== undefined) return (await savedSearches.find(tenantId, savedSearchId))?.tags ?? [];
    const stored = dashboardId === undefined ? undefined : await dashboards.find(tenantId, dashboardId);
    return stored?.dashboard.tags ?? [];
  }
}

function isSilencedItself({ silenced }: AlertMarks, atMs: number): boolean {
  return silenced !== undefined && isActive({ startsAt: silenced.at, endsAt: silenced.until }, atMs);
}

/** Groups that started later are not acknowledged. */
function isAcknowledged({ acknowledged }: AlertMarks, firingSinceMs: number): boolean {
  return acknowledged !== undefined && firingSinceMs <= Date.parse(acknowledged.at);
}
