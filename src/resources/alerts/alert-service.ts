import type { AlertInput } from '../../contract/alert.ts';
import { AppError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { PageQuery } from '../../contract/pagination.ts';
import type { Clock } from '../../kernel/clock.ts';
import { type Ids, isHex24 } from '../../kernel/ids.ts';
import {
  type Alert,
  type AlertStatus,
  firstWindowEndAfter,
  isEnabled,
  type StoredAlert,
  scheduleOf,
  type Watched,
  watchedOf,
} from './alert.ts';
import type { AlertRepository, AlertTransaction } from './alert-repository.ts';
import { alertProblem, tileProblem } from './check-alert.ts';
import { reschedulingOf, toAlert } from './to-alert.ts';

export interface AlertServiceDeps {
  alerts: AlertRepository;
  ids: Pick<Ids, 'hex24'>;
  clock: Clock;
  /** Called after a write, so that an evaluator in this process need not wait for its next poll. */
  onScheduled?: () => void;
}

export interface AlertPage {
  alerts: StoredAlert[];
  page: { total: number; limit: number; offset: number };
}

/** The rules of alerts (decisions A1 to A4). Every method stays within one tenant. */
export class AlertService {
  readonly #alerts: AlertRepository;
  readonly #ids: Pick<Ids, 'hex24'>;
  readonly #clock: Clock;
  readonly #onScheduled: () => void;

  constructor({ alerts, ids, clock, onScheduled = () => {} }: AlertServiceDeps) {
    this.#alerts = alerts;
    this.#ids = ids;
    this.#clock = clock;
    this.#onScheduled = onScheduled;
  }

  /** In order of creation. */
  async list(tenantId: string, { limit = limits.pageSize, offset = 0 }: PageQuery): Promise<AlertPage> {
    const { alerts, total } = await this.#alerts.list(tenantId, { limit, offset });
    const nowMs = this.#clock.nowMs();
    return { alerts: alerts.map((stored) => withoutPast(stored, nowMs)), page: { total, limit, offset } };
  }

  /** Throws `alert_not_found`, also for another tenant's id (decisions F2). */
  async get(tenantId: string, id: string): Promise<StoredAlert> {
    const stored = isHex24(id) ? await this.#alerts.find(tenantId, id) : undefined;
    if (!stored) throw new AppError('alert_not_found');
    return withoutPast(stored, this.#clock.nowMs());
  }

  /** Throws `request_invalid` naming the field; nothing is stored then. */
  async create(tenantId: string, input: AlertInput): Promise<StoredAlert> {
    const nowMs = this.#clock.nowMs();
    rejectInvalid(input, nowMs);
    const now = new Date(nowMs).toISOString();
    const alert = toAlert({ id: this.#ids.hex24(), createdAt: now, updatedAt: now }, input);
    await this.#alerts.transaction(async (transaction) => {
      await rejectBadReferences(transaction, tenantId, alert);
      await transaction.insert(tenantId, alert, firstWindowEndAfter(scheduleOf(alert), nowMs));
    });
    this.#onScheduled();
    return { alert, status: statusOf(alert, 'OK') };
  }

  /** Full replacement (decisions A3). Throws `alert_not_found`, and `request_invalid` naming the field. */
  async replace(tenantId: string, id: string, input: AlertInput): Promise<StoredAlert> {
    const nowMs = this.#clock.nowMs();
    await this.get(tenantId, id);
    rejectInvalid(input, nowMs);
    const replaced = await this.#alerts.transaction(async (transaction) => {
      const identity = { id, createdAt: '', updatedAt: new Date(nowMs).toISOString() };
      const draft = toAlert(identity, input);
      // The dashboard is locked before the alert, as it is when a dashboard is saved: two saves can't wait for each other.
      await rejectBadReferences(transaction, tenantId, draft);
      const before = await transaction.find(tenantId, id);
      if (!before) throw new AppError('alert_not_found');
      const alert = { ...draft, createdAt: before.alert.createdAt };
      const rescheduling = reschedulingOf(before.alert, alert, nowMs);
      await transaction.save(tenantId, alert, rescheduling);
      const { acknowledged, ...kept } = withoutPast(before, nowMs);
      if (rescheduling.resetState) return { ...kept, alert, status: statusOf(alert, 'OK') };
      return { ...kept, ...(acknowledged && { acknowledged }), alert, status: statusOf(alert, before.status) };
    });
    this.#onScheduled();
    return replaced;
  }

  /** Throws `alert_not_found`. */
  async remove(tenantId: string, id: string): Promise<void> {
    if (!isHex24(id) || !(await this.#alerts.remove(tenantId, id))) throw new AppError('alert_not_found');
  }
}

/** A silence that is over is not shown. */
function withoutPast(stored: StoredAlert, nowMs: number): StoredAlert {
  const { silenced, ...rest } = stored;
  return silenced && Date.parse(silenced.until) <= nowMs ? rest : stored;
}

function statusOf(alert: Alert, evaluated: AlertStatus): AlertStatus {
  return isEnabled(alert) ? evaluated : 'DISABLED';
}

function rejectInvalid(input: AlertInput, nowMs: number): void {
  const problem = alertProblem(input, nowMs);
  if (problem) throw invalid(problem);
}

/** Unknown, foreign and malformed ids look the same (decisions F2, F6). */
async function rejectBadReferences(transaction: AlertTransaction, tenantId: string, alert: Alert): Promise<void> {
  const watched = watchedOf(alert);
  if (watched.kind === 'tile') await rejectBadTile(transaction, tenantId, watched);
  else await rejectMissingSearch(transaction, tenantId, watched.savedSearchId);
  await rejectMissingWebhooks(transaction, tenantId, alert);
}

type WatchedTile = Extract<Watched, { kind: 'tile' }>;

async function rejectBadTile(transaction: AlertTransaction, tenantId: string, watched: WatchedTile): Promise<void> {
  const found = isHex24(watched.dashboardId)
    ? await transaction.lookUpTile(tenantId, watched.dashboardId, watched.tileId)
    : ({ kind: 'dashboardMissing' } as const);
  if (found.kind === 'dashboardMissing') throw invalid('dashboardId: there is no dashboard with this id.');
  if (found.kind === 'tileMissing') throw invalid('tileId: the dashboard has no tile with this id.');
  const problem = tileProblem(found.tile);
  if (problem) throw invalid(problem);
}

async function rejectMissingSearch(transaction: AlertTransaction, tenantId: string, id: string): Promise<void> {
  if (isHex24(id) && (await transaction.hasSavedSearch(tenantId, id))) return;
  throw invalid('savedSearchId: there is no saved search with this id.');
}

async function rejectMissingWebhooks(transaction: AlertTransaction, tenantId: string, alert: Alert): Promise<void> {
  const ids = alert.channels.map(({ webhookId }) => webhookId);
  const wellFormed = ids.filter(isHex24);
  const existing = wellFormed.length > 0 ? await transaction.existingWebhooks(tenantId, wellFormed) : new Set<string>();
  const missing = ids.findIndex((id) => !existing.has(id));
  if (missing < 0) return;
  const field = ids.length === 1 ? 'channel.webhookId' : `channels.${missing}.webhookId`;
  throw invalid(`${field}: there is no webhook with this id.`);
}

function invalid(text: string): AppError {
  return new AppError('request_invalid', { public: text });
}
