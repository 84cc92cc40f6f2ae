import type { AlertInput } from '../../contract/alert.ts';
import { type AlertPreviewBody, previewWindowsMax } from '../../contract/alert-preview.ts';
import { AppError } from '../../contract/errors.ts';
import type { Warning } from '../../contract/warning.ts';
import type { PreviewedRule, RulePreviewer } from '../../evaluator/ports.ts';
import type { Clock } from '../../kernel/clock.ts';
import { isHex24 } from '../../kernel/ids.ts';
import type { DashboardRepository } from '../dashboards/dashboard-repository.ts';
import type { SavedSearchRepository } from '../saved-searches/saved-search-repository.ts';
import { type Alert, type Watched, watchedOf } from './alert.ts';
import { alertProblem, tileProblem } from './check-alert.ts';
import { toAlert } from './to-alert.ts';

export interface AlertPreviewDeps {
  dashboards: Pick<DashboardRepository, 'find'>;
  savedSearches: Pick<SavedSearchRepository, 'find'>;
  previewer: RulePreviewer;
  clock: Clock;
  /** One preview may take so long. */
  timeoutMs: number;
}

export interface AlertPreview {
  rule: PreviewedRule;
  compare?: PreviewedRule;
  meta: { rowsRead: number; elapsedMs: number; truncated: boolean; warnings?: readonly Warning[] };
}

/** Shows what rules would have done over a past range. Every method stays within one tenant; nothing is written. */
export class AlertPreviewService {
  readonly #deps: AlertPreviewDeps;

  constructor(deps: AlertPreviewDeps) {
    this.#deps = deps;
  }

  /**
   * Throws `request_invalid` if creating the alert would (channels aside), and for a range without or with too many
   * windows; `query_timeout`, and the errors of a chart of the tile.
   */
  async preview(tenantId: string, body: AlertPreviewBody, clientGone: AbortSignal): Promise<AlertPreview> {
    const { previewer, clock } = this.#deps;
    const range = { startMs: body.startTime, endMs: Math.min(body.endTime, clock.nowMs()) };
    if (range.endMs <= range.startMs)
      throw invalid('endTime: must be later than startTime, which must be in the past.');
    const alerts = [await this.#check(tenantId, body.alert, 'alert')];
    if (body.compareTo) alerts.push(await this.#check(tenantId, body.compareTo, 'compareTo'));
    const outcome = await this.#inTime(clientGone, (signal) =>
      previewer.preview({ tenantId, alerts, range, windowsMax: previewWindowsMax, signal }),
    );
    if (outcome.kind === 'tooManyWindows') throw tooMany(outcome.count);
    const { rules, kind: _kind, warnings, ...meta } = outcome;
    const [rule, compare] = rules;
    if (!rule || rules.some(({ windows }) => windows.length === 0)) {
      throw invalid('startTime: the range contains no whole window of the interval.');
    }
    return { rule, ...(compare && { compare }), meta: { ...meta, ...(warnings.length > 0 && { warnings }) } };
  }

  /** The alert that the body would make. Unknown, foreign and malformed ids look the same (decisions F2, F6). */
  async #check(tenantId: string, input: AlertInput, field: string): Promise<Alert> {
    const { clock } = this.#deps;
    const complete = input.channel || input.channels ? input : { ...input, channels: [anyChannel] };
    const problem = alertProblem(complete, clock.nowMs());
    if (problem) throw invalid(`${field}.${problem}`);
    const alert = toAlert({ id: '', createdAt: '', updatedAt: '' }, complete);
    const missing = await this.#watchedProblem(tenantId, watchedOf(alert));
    if (missing) throw invalid(`${field}.${missing}`);
    return alert;
  }

  async #watchedProblem(tenantId: string, watched: Watched): Promise<string | undefined> {
    const { dashboards, savedSearches } = this.#deps;
    if (watched.kind === 'savedSearch') {
      const id = watched.savedSearchId;
      const search = isHex24(id) ? await savedSearches.find(tenantId, id) : undefined;
      return search ? undefined : 'savedSearchId: there is no saved search with this id.';
    }
    const { dashboardId, tileId } = watched;
    const stored = isHex24(dashboardId) ? await dashboards.find(tenantId, dashboardId) : undefined;
    if (!stored) return 'dashboardId: there is no dashboard with this id.';
    const tile = stored.dashboard.tiles.find(({ id }) => id === tileId);
    return tile ? tileProblem(tile) : 'tileId: the dashboard has no tile with this id.';
  }

  async #inTime<T>(clientGone: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { clock, timeoutMs } = this.#deps;
    const tooLong = new AbortController();
    const cancelTimer = clock.after(timeoutMs, () => tooLong.abort());
    try {
      return await work(AbortSignal.any([clientGone, tooLong.signal]));
    } catch (error) {
      if (!tooLong.signal.aborted) throw error;
      throw new AppError('query_timeout', {
        public: 'The preview took too long; choose a shorter range.',
        cause: error,
      });
    } finally {
      cancelTimer();
    }
  }
}

/** Placeholder for a channel that is not chosen yet: one message per event. */
const anyChannel = { type: 'webhook', webhookId: '' } as const;

function tooMany(count: number): AppError {
  return invalid(
    `startTime: the range contains ${count} windows of this interval; at most ${previewWindowsMax} can be previewed.`,
  );
}

function invalid(text: string): AppError {
  return new AppError('request_invalid', { public: text });
}
