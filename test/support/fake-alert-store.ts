import type { AlertAcknowledged, AlertSilenced } from '../../src/contract/alert.ts';
import type { Tile } from '../../src/contract/tile.ts';
import {
  type AlertState,
  coversFiring,
  firingSince,
  freshState,
  type HistoryEntry,
  isFiring,
} from '../../src/evaluator/alert-state.ts';
import type { FarAlerts } from '../../src/evaluator/clock-set-back.ts';
import type {
  BulkEvaluationStore,
  EvaluationResult,
  EvaluationStore,
  FailedEvaluation,
} from '../../src/evaluator/evaluation-store.ts';
import type { AlertLeases, BulkAlertLeases, LeasedAlert } from '../../src/evaluator/lease.ts';
import type { GroupPart, OutgoingNotification, TileNames, WatchedNames } from '../../src/evaluator/ports.ts';
import type { OldRecords } from '../../src/evaluator/record-pruner.ts';
import { deliveryState, standingOf } from '../../src/metadata/delivery-standing.ts';
import type {
  Attempt,
  AttemptResult,
  ClaimedMessage,
  ClaimRequest,
  LoggedAttempt,
  Outbox,
  ReceiverNews,
  Waiting,
} from '../../src/notify/outbox.ts';
import {
  type Alert,
  type AlertMarks,
  type ExecutionError,
  isEnabled,
  type StoredAlert,
  type Watched,
} from '../../src/resources/alerts/alert.ts';
import {
  type AlertLog,
  type AlertTrend,
  type Delivery,
  type DeliveryReason,
  type DeliveryStanding,
  deliveryId,
  type LogPage,
  neverSentText,
  type ReplayOutcome,
  type ReplayRequest,
  type TrendsRequest,
  type WindowEndRange,
} from '../../src/resources/alerts/alert-log.ts';
import type {
  AlertRepository,
  AlertTransaction,
  MarkOutcome,
  Rescheduling,
  TileLookup,
} from '../../src/resources/alerts/alert-repository.ts';
import { deliveryToCome, parseDeliveryId, replayOf } from '../../src/resources/alerts/replay.ts';

interface AlertEntry {
  marks: AlertMarks;
  tenantId: string;
  alert: Alert;
  epoch: number;
  nextWindowEndMs: number;
  dueMs: number;
  owner: string | undefined;
  leaseUntilMs: number;
  state: AlertState;
  errors: readonly ExecutionError[] | undefined;
  deliveryErrors: Map<string, ExecutionError>;
  history: Map<number, HistoryEntry>;
}

interface MessageEntry {
  message: OutgoingNotification;
  status: 'open' | 'delivered' | 'failed';
  nextAttemptMs: number;
  attempts: number;
  claim: string | undefined;
  claimUntilMs: number;
}

interface AttemptEntry extends LoggedAttempt {
  tenantId: string;
  alertId: string;
  webhookId: string;
  notification: { reason: DeliveryReason; group: readonly GroupPart[] };
}

interface DashboardEntry {
  tenantId: string;
  name: string;
  tiles: readonly Tile[];
}

/** Everything that alerts need of a store, in memory; passes the same contract suites as the SQL stores. */
export class FakeAlertStore
  implements AlertRepository, AlertLeases, BulkAlertLeases, EvaluationStore, BulkEvaluationStore, TileNames
{
  #alerts = new Map<string, AlertEntry>();
  readonly #dashboards = new Map<string, DashboardEntry>();
  readonly #savedSearches = new Map<string, { tenantId: string; name: string }>();
  readonly #webhooks = new Map<string, string>();
  #messages = new Map<string, MessageEntry>();
  #attempts: AttemptEntry[] = [];
  readonly #receivers = new Map<string, { failures: number; resumeMs: number }>();
  #last: Promise<unknown> = Promise.resolve();
  readonly outbox: Outbox = {
    claimDue: async (request) => this.#claimMessages(request),
    record: async (claimed, attempt, result, receiver) => {
      this.#recordAttempt(claimed, attempt, result);
      if (receiver) this.#recordReceiver(claimed, receiver);
    },
    nextDueMs: async (request) => this.#nextMessageMs(request),
    endWaitsAfter: async ({ nowMs, claimedUntilMs, waitingUntilMs }) => {
      for (const entry of this.#messages.values()) {
        if (entry.claimUntilMs > claimedUntilMs) entry.claimUntilMs = 0;
        if (entry.nextAttemptMs > waitingUntilMs) entry.nextAttemptMs = nowMs;
      }
      for (const receiver of this.#receivers.values()) {
        if (receiver.resumeMs > waitingUntilMs) receiver.resumeMs = nowMs;
      }
    },
    listAttempts: async (tenantId, alertId, limit) =>
      this.#attempts
        .filter((line) => line.tenantId === tenantId && line.alertId === alertId)
        .map(
          ({ tenantId: _tenant, alertId: _alert, webhookId: _webhook, notification: _notification, ...line }) => line,
        )
        .toReversed()
        .slice(0, limit),
  };

  readonly log: AlertLog = {
    listDeliveries: async (tenantId, alertId, page) => this.#listDeliveries(tenantId, alertId, page),
    listEvaluations: async (tenantId, alertId, page) => this.#listEvaluations(tenantId, alertId, page),
    replay: async (request) => this.#replay(request),
    listTrends: async (request) => this.#listTrends(request),
  };
  readonly farAlerts: FarAlerts = {
    listFar: async ({ dueAfterMs, afterId, limit }) =>
      [...this.#alerts.values()]
        .filter(({ alert, dueMs }) => dueMs > dueAfterMs && Number.isFinite(dueMs) && alert.id > afterId)
        .toSorted((a, b) => (a.alert.id < b.alert.id ? -1 : 1))
        .slice(0, limit)
        .map(({ tenantId, alert, epoch, nextWindowEndMs, dueMs, state }) => {
          return { tenantId, alert, epoch, nextWindowEndMs, dueMs, state };
        }),
    lastWindows: async ({ alertId, endedByMs, limit }) =>
      [...(this.#alerts.get(alertId)?.history.values() ?? [])]
        .filter(({ windowEndMs }) => windowEndMs <= endedByMs)
        .toSorted((a, b) => b.windowEndMs - a.windowEndMs)
        .slice(0, limit)
        .map(({ windowEndMs, evaluatedAtMs, error }) => {
          return { windowEndMs, evaluatedAtMs, failed: error !== undefined };
        }),
    moveBack: async (moved) => {
      for (const { tenantId, alertId, epoch, nextWindowEndMs, state } of moved) {
        const entry = this.#own(tenantId, alertId);
        if (entry?.epoch !== epoch) continue;
        Object.assign(entry, { epoch: epoch + 1, nextWindowEndMs, dueMs: nextWindowEndMs, state, leaseUntilMs: 0 });
        for (const endMs of entry.history.keys()) if (endMs >= nextWindowEndMs) entry.history.delete(endMs);
      }
    },
    endLeasesAfter: async (untilMs) => {
      for (const entry of this.#alerts.values()) if (entry.leaseUntilMs > untilMs) entry.leaseUntilMs = 0;
    },
  };
  readonly oldRecords: OldRecords = {
    removeBefore: async (beforeMs, rowsMax) =>
      this.#removeHistory(beforeMs, rowsMax) +
      this.#removeMessages(beforeMs, rowsMax) +
      this.#removeAttempts(beforeMs, rowsMax),
  };

  addDashboard(tenantId: string, dashboard: { id: string; name: string; tiles: readonly Tile[] }): void {
    this.#dashboards.set(dashboard.id, { tenantId, name: dashboard.name, tiles: dashboard.tiles });
  }

  addSavedSearch(tenantId: string, { id, name }: { id: string; name: string }): void {
    this.#savedSearches.set(id, { tenantId, name });
  }

  addWebhook(tenantId: string, id: string): void {
    this.#webhooks.set(id, tenantId);
  }

  /** One at a time; a failed one leaves nothing behind. */
  transaction<T>(work: (transaction: AlertTransaction) => Promise<T>): Promise<T> {
    const run = this.#last.then(async () => {
      const before = new Map([...this.#alerts].map(([id, entry]) => [id, { ...entry }]));
      try {
        return await work(this.#insideTransaction());
      } catch (error) {
        this.#alerts = before;
        throw error;
      }
    });
    this.#last = run.catch(() => {});
    return run;
  }

  async find(tenantId: string, id: string): Promise<StoredAlert | undefined>;
  async find(tenantId: string, watched: Watched): Promise<WatchedNames>;
  async find(tenantId: string, which: string | Watched): Promise<unknown> {
    if (typeof which === 'string') {
      const entry = this.#own(tenantId, which);
      return entry && stored(entry);
    }
    if (which.kind === 'savedSearch') {
      const search = this.#savedSearches.get(which.savedSearchId);
      return search?.tenantId === tenantId ? { savedSearch: search.name } : {};
    }
    const found = this.#dashboards.get(which.dashboardId);
    const dashboard = found?.tenantId === tenantId ? found : undefined;
    const tile = dashboard?.tiles.find((candidate) => candidate.id === which.tileId)?.name;
    return dashboard ? { dashboard: dashboard.name, ...(tile !== undefined && { tile }) } : {};
  }

  async list(tenantId: string, { limit, offset }: { limit: number; offset: number }) {
    const own = [...this.#alerts.values()].filter((entry) => entry.tenantId === tenantId);
    return { alerts: own.slice(offset, offset + limit).map(stored), total: own.length };
  }

  async findMarks(tenantId: string, ids: readonly string[]): Promise<ReadonlyMap<string, AlertMarks>> {
    const marks = ids.map((id): [string, AlertMarks] => [id, this.#own(tenantId, id)?.marks ?? {}]);
    return new Map(marks.filter(([, { silenced, acknowledged }]) => silenced || acknowledged));
  }

  async setSilenced(tenantId: string, id: string, silenced: AlertSilenced | null): Promise<boolean> {
    const entry = this.#own(tenantId, id);
    if (!entry) return false;
    const { silenced: _before, ...rest } = entry.marks;
    entry.marks = silenced ? { ...rest, silenced } : rest;
    return true;
  }

  async setAcknowledged(tenantId: string, id: string, acknowledged: AlertAcknowledged | null): Promise<MarkOutcome> {
    const entry = this.#own(tenantId, id);
    if (!entry) return 'missing';
    if (acknowledged && !isFiring(entry.state)) return 'notFiring';
    const { acknowledged: _before, ...rest } = entry.marks;
    entry.marks = acknowledged ? { ...rest, acknowledged } : rest;
    return 'done';
  }

  async remove(tenantId: string, id: string): Promise<boolean> {
    return this.#own(tenantId, id) !== undefined && this.#alerts.delete(id);
  }

  async claimDue({ owner, nowMs, dueBeforeMs, leaseUntilMs, max }: Parameters<AlertLeases['claimDue']>[0]) {
    const due = [...this.#alerts.values()]
      .filter((entry) => entry.dueMs <= dueBeforeMs && entry.leaseUntilMs <= nowMs)
      .toSorted((a, b) => a.dueMs - b.dueMs)
      .slice(0, max);
    return due.map((entry): LeasedAlert => {
      entry.owner = owner;
      entry.leaseUntilMs = leaseUntilMs;
      const { tenantId, alert, epoch, nextWindowEndMs, state } = entry;
      return { tenantId, alert, epoch, nextWindowEndMs, state };
    });
  }

  async nextDueMs(nowMs: number): Promise<number | undefined> {
    return smallest([...this.#alerts.values()].filter((e) => e.leaseUntilMs <= nowMs).map((entry) => entry.dueMs));
  }

  async release(owner: string, tenantId: string, alertId: string): Promise<void> {
    const entry = this.#own(tenantId, alertId);
    if (entry?.owner === owner) entry.leaseUntilMs = 0;
  }

  async commit(evaluation: EvaluationResult): Promise<'committed' | 'superseded'> {
    const entry = this.#unevaluated(evaluation);
    if (!entry) return 'superseded';
    entry.nextWindowEndMs = evaluation.followingWindowEndMs;
    entry.dueMs = evaluation.followingWindowEndMs;
    entry.leaseUntilMs = evaluation.leaseUntilMs;
    entry.state = evaluation.state;
    entry.errors = evaluation.errors;
    entry.history.set(evaluation.history.windowEndMs, evaluation.history);
    for (const message of evaluation.notifications) this.#add(message);
    return 'committed';
  }

  async recordFailure(failure: FailedEvaluation): Promise<'committed' | 'superseded'> {
    const entry = this.#unevaluated(failure);
    if (!entry) return 'superseded';
    entry.dueMs = failure.retryDueMs;
    entry.errors = failure.errors;
    entry.history.set(failure.history.windowEndMs, failure.history);
    return 'committed';
  }

  commitAll(evaluations: readonly EvaluationResult[]) {
    return Promise.all(evaluations.map((evaluation) => this.commit(evaluation)));
  }

  recordFailures(failures: readonly FailedEvaluation[]) {
    return Promise.all(failures.map((failure) => this.recordFailure(failure)));
  }

  async releaseAll(owner: string, alerts: readonly { tenantId: string; alertId: string }[]): Promise<void> {
    for (const { tenantId, alertId } of alerts) await this.release(owner, tenantId, alertId);
  }

  async listHistory(tenantId: string, alertId: string, limit: number): Promise<HistoryEntry[]> {
    const entries = [...(this.#own(tenantId, alertId)?.history.values() ?? [])];
    return entries.toSorted((a, b) => b.windowEndMs - a.windowEndMs).slice(0, limit);
  }

  #insideTransaction(): AlertTransaction {
    return {
      lookUpTile: async (tenantId, dashboardId, tileId): Promise<TileLookup> => {
        const dashboard = this.#dashboards.get(dashboardId);
        if (dashboard?.tenantId !== tenantId) return { kind: 'dashboardMissing' };
        const tile = dashboard.tiles.find(({ id }) => id === tileId);
        return tile ? { kind: 'found', tile } : { kind: 'tileMissing' };
      },
      hasSavedSearch: async (tenantId, id) => this.#savedSearches.get(id)?.tenantId === tenantId,
      existingWebhooks: async (tenantId, ids) => new Set(ids.filter((id) => this.#webhooks.get(id) === tenantId)),
      find: (tenantId, id) => this.find(tenantId, id),
      insert: async (tenantId, alert, firstWindowEndMs) => {
        this.#alerts.set(alert.id, freshEntry(tenantId, alert, firstWindowEndMs));
      },
      save: async (tenantId, alert, rescheduling) => this.#save(tenantId, alert, rescheduling),
    };
  }

  #save(tenantId: string, alert: Alert, { nextWindowEndMs, resetState }: Rescheduling): void {
    const entry = this.#own(tenantId, alert.id);
    if (!entry) return;
    entry.alert = alert;
    entry.epoch += 1;
    if (nextWindowEndMs !== undefined) {
      entry.nextWindowEndMs = nextWindowEndMs;
      entry.dueMs = nextWindowEndMs;
    }
    if (resetState) entry.state = freshState;
    if (!isEnabled(alert)) entry.dueMs = Number.POSITIVE_INFINITY;
  }

  #own(tenantId: string, id: string): AlertEntry | undefined {
    const entry = this.#alerts.get(id);
    return entry?.tenantId === tenantId ? entry : undefined;
  }

  #unevaluated(
    expected: Pick<EvaluationResult, 'tenantId' | 'alertId' | 'epoch' | 'nextWindowEndMs'>,
  ): AlertEntry | undefined {
    const entry = this.#own(expected.tenantId, expected.alertId);
    const same = entry?.epoch === expected.epoch && entry.nextWindowEndMs === expected.nextWindowEndMs;
    return same ? entry : undefined;
  }

  #add(message: OutgoingNotification): void {
    if (this.#messages.has(message.id)) return;
    this.#messages.set(message.id, {
      message,
      status: 'open',
      nextAttemptMs: message.createdAtMs,
      attempts: 0,
      claim: undefined,
      claimUntilMs: 0,
    });
  }

  /** The oldest open message of each event, webhook and group. */
  #heads(): MessageEntry[] {
    const seen = new Set<string>();
    return [...this.#messages.values()].filter(({ message, status }) => {
      const event = `${message.webhookId} ${message.eventId}`;
      if (status !== 'open' || seen.has(event)) return false;
      seen.add(event);
      return true;
    });
  }

  #freePlaces(webhookId: string, { nowMs, perWebhookMax }: Pick<ClaimRequest, 'nowMs' | 'perWebhookMax'>): number {
    const underWay = [...this.#messages.values()].filter(
      ({ message, status, claimUntilMs }) =>
        message.webhookId === webhookId && status === 'open' && claimUntilMs > nowMs,
    );
    return (this.#receivers.has(webhookId) ? 1 : perWebhookMax) - underWay.length;
  }

  #dueMs({ message, nextAttemptMs, claimUntilMs }: MessageEntry): number {
    return Math.max(nextAttemptMs, claimUntilMs, this.#receivers.get(message.webhookId)?.resumeMs ?? 0);
  }

  #claimMessages(request: ClaimRequest): ClaimedMessage[] {
    const places = new Map<string, number>();
    return this.#heads()
      .filter((entry) => this.#dueMs(entry) <= request.nowMs)
      .toSorted((a, b) => a.nextAttemptMs - b.nextAttemptMs)
      .filter(({ message: { webhookId } }) => {
        const left = places.get(webhookId) ?? this.#freePlaces(webhookId, request);
        places.set(webhookId, left - 1);
        return left > 0;
      })
      .slice(0, request.max)
      .map((entry) => {
        entry.claim = request.claim;
        entry.claimUntilMs = request.claimUntilMs;
        const receiverFailures = this.#receivers.get(entry.message.webhookId)?.failures ?? 0;
        return { message: entry.message, attempts: entry.attempts, claim: request.claim, receiverFailures };
      });
  }

  #nextMessageMs(request: Pick<ClaimRequest, 'nowMs' | 'perWebhookMax'>): number | undefined {
    const free = this.#heads().filter(({ message }) => this.#freePlaces(message.webhookId, request) > 0);
    return smallest(free.map((entry) => this.#dueMs(entry)));
  }

  #recordReceiver({ message, receiverFailures }: ClaimedMessage, news: ReceiverNews & { waiting?: Waiting }): void {
    const { webhookId } = message;
    if (news.kind === 'answers') {
      if (receiverFailures > 0) this.#receivers.delete(webhookId);
      return;
    }
    const before = this.#receivers.get(webhookId);
    this.#receivers.set(webhookId, {
      failures: Math.max(news.failures, before?.failures ?? 0),
      resumeMs: Math.max(news.resumeMs, before?.resumeMs ?? 0),
    });
    const { waiting } = news;
    if (!waiting) return;
    const open = [...this.#messages.values()].filter(
      (entry) => entry.message.webhookId === webhookId && entry.status === 'open',
    );
    open.forEach((entry, index) => {
      const isTooMuch = index < open.length - waiting.max || entry.message.createdAtMs < waiting.createdAfterMs;
      if (isTooMuch && entry.claimUntilMs <= waiting.nowMs) entry.status = 'failed';
    });
  }

  #recordAttempt({ message, attempts, claim }: ClaimedMessage, attempt: Attempt, result: AttemptResult): void {
    const { tenantId, webhookId, id: messageId } = message;
    const alertId = message.notification.alert.id;
    const { reason, group } = message.notification;
    const notification = { reason: message.replayOf === undefined ? reason : ('replay' as const), group };
    this.#attempts.push({ messageId, tenantId, alertId, webhookId, notification, attempt: attempts + 1, ...attempt });
    const errors = this.#alerts.get(alertId)?.deliveryErrors;
    if (attempt.error === undefined) errors?.delete(webhookId);
    else errors?.set(webhookId, webhookError(attempt.atMs, attempt.error));
    const entry = this.#messages.get(messageId);
    if (entry?.status !== 'open' || (result.kind !== 'delivered' && entry.claim !== claim)) return;
    entry.attempts = attempts + 1;
    entry.claim = undefined;
    entry.claimUntilMs = 0;
    if (result.kind === 'retry') entry.nextAttemptMs = result.nextAttemptMs ?? entry.nextAttemptMs;
    else entry.status = result.kind;
  }

  #listDeliveries(tenantId: string, alertId: string, { limit, offset }: { limit: number; offset: number }) {
    const tried = this.#attempts.filter((line) => line.tenantId === tenantId && line.alertId === alertId);
    const untried = [...this.#messages.values()].filter(
      ({ message, attempts }) =>
        attempts === 0 && message.tenantId === tenantId && message.notification.alert.id === alertId,
    );
    const all = [
      ...tried.map((line) => this.#triedDelivery(line)),
      ...untried.map((kept) => this.#untriedDelivery(kept)),
    ];
    const deliveries = all.toReversed().toSorted((a, b) => b.atMs - a.atMs);
    return { deliveries: deliveries.slice(offset, offset + limit), total: all.length };
  }

  #triedDelivery({ tenantId: _tenant, alertId: _alert, ...line }: AttemptEntry): Delivery {
    const kept = this.#messages.get(line.messageId);
    const state = kept
      ? deliveryState(kept.status, kept.attempts)
      : line.error === undefined
        ? 'delivered'
        : 'given_up';
    const isOpen = kept?.status === 'open';
    return {
      id: deliveryId(line.messageId, line.attempt),
      ...line,
      state,
      ...(kept && isOpen && { nextAttemptMs: this.#waitsUntilMs(kept) }),
      replayable: kept !== undefined && !isOpen && this.#webhooks.has(line.webhookId),
    };
  }

  #untriedDelivery(kept: MessageEntry): Delivery {
    const { message, status } = kept;
    const { reason, group } = message.notification;
    return {
      id: deliveryId(message.id, 1),
      messageId: message.id,
      atMs: message.createdAtMs,
      durationMs: 0,
      attempt: 1,
      webhookId: message.webhookId,
      notification: { reason: message.replayOf === undefined ? reason : 'replay', group },
      ...(status === 'failed' && { error: neverSentText }),
      state: deliveryState(status, 0),
      ...(status === 'open' && { nextAttemptMs: this.#waitsUntilMs(kept) }),
      replayable: false,
    };
  }

  #waitsUntilMs({ message, nextAttemptMs }: MessageEntry): number {
    return Math.max(nextAttemptMs, this.#receivers.get(message.webhookId)?.resumeMs ?? 0);
  }

  #standingOf({ message, status, attempts }: MessageEntry): DeliveryStanding {
    const last = this.#attempts.findLast(({ messageId }) => messageId === message.id);
    return standingOf({
      status,
      attempts,
      last_at_ms: last?.atMs ?? null,
      last_status: last?.status ?? null,
      last_error: last?.error ?? null,
    });
  }

  #replay({ tenantId, alertId, deliveryId: id, messageId, nowMs }: ReplayRequest): ReplayOutcome {
    const named = parseDeliveryId(id);
    const line = this.#attempts.find(
      (other) =>
        other.tenantId === tenantId &&
        other.alertId === alertId &&
        other.messageId === named?.messageId &&
        other.attempt === named.attempt,
    );
    if (!line) return { kind: 'missing' };
    const kept = this.#messages.get(line.messageId);
    if (!kept) return { kind: 'pruned' };
    if (kept.status === 'open') return { kind: 'pending' };
    if (!this.#webhooks.has(line.webhookId)) return { kind: 'webhookGone' };
    const replay = replayOf(kept.message, messageId, nowMs);
    this.#add(replay);
    return { kind: 'queued', delivery: deliveryToCome(replay) };
  }

  async #listEvaluations(tenantId: string, alertId: string, page: LogPage & WindowEndRange) {
    const { limit, offset, startMs = 0, endMs = Number.POSITIVE_INFINITY } = page;
    const kept = await this.listHistory(tenantId, alertId, Number.POSITIVE_INFINITY);
    const all = kept.filter(({ windowEndMs }) => windowEndMs > startMs && windowEndMs <= endMs);
    const evaluations = all.slice(offset, offset + limit).map((entry) => {
      const own = [...this.#messages.values()].filter(
        ({ message: { notification, replayOf: replayed } }) =>
          replayed === undefined &&
          notification.alert.id === alertId &&
          notification.window.endMs === entry.windowEndMs,
      );
      const notifications = own.map((kept) => {
        const { reason, group } = kept.message.notification;
        return { webhookId: kept.message.webhookId, reason, group, ...this.#standingOf(kept) };
      });
      return { ...entry, notifications };
    });
    return { evaluations, total: all.length };
  }

  #listTrends({ tenantId, alertIds, windowsMax, charactersMax }: TrendsRequest): AlertTrend[] {
    const wanted = [...this.#alerts.values()].filter(
      (entry) => entry.tenantId === tenantId && alertIds.includes(entry.alert.id),
    );
    return wanted.map(({ alert, history }) => {
      const newest = [...history.values()].toSorted((a, b) => b.windowEndMs - a.windowEndMs).slice(0, windowsMax);
      let characters = 0;
      const windows = newest.filter((entry) => {
        const isShown = characters < charactersMax;
        characters += JSON.stringify(entry).length;
        return isShown;
      });
      return { alert, windows: windows.reverse(), notifications: this.#newestMessages(tenantId, alert) };
    });
  }

  #newestMessages(tenantId: string, alert: Alert): AlertTrend['notifications'] {
    const webhookIds = new Set(alert.channels.map(({ webhookId }) => webhookId));
    return [...webhookIds].sort().flatMap((webhookId) => {
      const own = [...this.#messages.values()].filter(
        ({ message }) =>
          message.tenantId === tenantId &&
          message.webhookId === webhookId &&
          message.notification.alert.id === alert.id,
      );
      const newest = own.reverse().toSorted((a, b) => b.message.createdAtMs - a.message.createdAtMs);
      const shown = newest.find(({ attempts, status }) => attempts > 0 || status !== 'open') ?? newest[0];
      return shown ? [{ webhookId, ...this.#standingOf(shown) }] : [];
    });
  }

  #removeHistory(beforeMs: number, rowsMax: number): number {
    const old = [...this.#alerts.values()]
      .flatMap(({ history }) => [...history.keys()].map((endMs) => ({ history, endMs })))
      .filter(({ endMs }) => endMs < beforeMs)
      .toSorted((a, b) => a.endMs - b.endMs)
      .slice(0, rowsMax);
    for (const { history, endMs } of old) history.delete(endMs);
    return old.length;
  }

  #removeMessages(beforeMs: number, rowsMax: number): number {
    const old = [...this.#messages.values()]
      .filter(({ message, status }) => status !== 'open' && message.createdAtMs < beforeMs)
      .toSorted((a, b) => a.message.createdAtMs - b.message.createdAtMs)
      .slice(0, rowsMax);
    for (const { message } of old) this.#messages.delete(message.id);
    return old.length;
  }

  #removeAttempts(beforeMs: number, rowsMax: number): number {
    const old = this.#attempts
      .filter(({ atMs }) => atMs < beforeMs)
      .toSorted((a, b) => a.atMs - b.atMs)
      .slice(0, rowsMax);
    this.#attempts = this.#attempts.filter((attempt) => !old.includes(attempt));
    return old.length;
  }
}

function freshEntry(tenantId: string, alert: Alert, firstWindowEndMs: number): AlertEntry {
  return {
    marks: {},
    tenantId,
    alert,
    epoch: 1,
    nextWindowEndMs: firstWindowEndMs,
    dueMs: isEnabled(alert) ? firstWindowEndMs : Number.POSITIVE_INFINITY,
    owner: undefined,
    leaseUntilMs: 0,
    state: freshState,
    errors: undefined,
    deliveryErrors: new Map(),
    history: new Map(),
  };
}

function stored({ alert, state, errors, deliveryErrors, marks }: AlertEntry): StoredAlert {
  const { acknowledged, ...silenced } = marks;
  const inUse = acknowledged && coversFiring(state, acknowledged.at);
  const all = [...(errors ?? []), ...deliveryErrors.values()];
  const status = isEnabled(alert) ? state.status : 'DISABLED';
  const firingSinceMs = status === 'ALERT' ? firingSince(state) : undefined;
  return {
    alert,
    status,
    ...(firingSinceMs !== undefined && { firingSinceMs }),
    ...silenced,
    ...(inUse && { acknowledged }),
    ...((errors || all.length > 0) && { executionErrors: all }),
  };
}

function webhookError(atMs: number, message: string): ExecutionError {
  return { timestamp: new Date(atMs).toISOString(), type: 'WEBHOOK_ERROR', message };
}

function smallest(numbers: readonly number[]): number | undefined {
  return numbers.length > 0 ? Math.min(...numbers) : undefined;
}
