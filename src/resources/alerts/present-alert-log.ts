import {
  type AlertDeliveryRecord,
  type AlertEvaluationRecord,
  type EvaluationReason,
  evaluationReasons,
} from '../../contract/alert-log.ts';
import type { GroupPart } from '../../evaluator/ports.ts';
import { assertNever } from '../../kernel/assert-never.ts';
import type { AlertStatus } from './alert.ts';
import type { Delivery, EvaluatedGroup, Evaluation } from './alert-log.ts';

export function presentDelivery({ atMs, notification, nextAttemptMs, ...delivery }: Delivery): AlertDeliveryRecord {
  const next = nextAttemptMs === undefined ? {} : { nextAttemptAt: timestamp(nextAttemptMs) };
  return {
    at: timestamp(atMs),
    ...delivery,
    ...next,
    ...(notification && { reason: notification.reason, group: [...notification.group] }),
  };
}

export function presentEvaluation(evaluation: Evaluation): AlertEvaluationRecord {
  const { windowStartMs, windowEndMs, evaluatedAtMs, status, groups, notifications, ...rest } = evaluation;
  const presented = groups.map((evaluated) => presentGroup(evaluated, notifications));
  return {
    windowStart: timestamp(windowStartMs),
    windowEnd: timestamp(windowEndMs),
    evaluatedAt: timestamp(evaluatedAtMs),
    state: status,
    ...rest,
    reason: reasonOf(evaluation, presented),
    groups: presented,
    notifications: notifications.map(({ group, lastAttemptMs, ...sent }) => ({
      ...sent,
      group: [...group],
      ...(lastAttemptMs !== undefined && { lastAttemptAt: timestamp(lastAttemptMs) }),
    })),
  };
}

type SentMessages = Evaluation['notifications'];
type PresentedGroup = AlertEvaluationRecord['groups'][number];

function presentGroup(evaluated: EvaluatedGroup, notifications: SentMessages): PresentedGroup {
  const { group, value, status: state } = evaluated;
  return { group: [...group], value, state, reason: reasonOfGroup(evaluated, notifications) };
}

/** The outcome of a group's notifications, from the delivery log; or why there were none (decisions A6, A7). */
function reasonOfGroup(
  { group, value, status, notified, suppressed }: EvaluatedGroup,
  notifications: SentMessages,
): EvaluationReason {
  const own = notifications.filter((message) => isSameGroup(message.group, group));
  const found = new Set<EvaluationReason>(own.map(({ state }) => reasonOfDelivery[state]));
  const worst = evaluationReasons.find((reason) => found.has(reason));
  // Messages are kept longer than the windows they are about.
  return worst ?? (notified ? 'sent' : (suppressed ?? reasonWithoutMessage(status, value !== null)));
}

const reasonOfDelivery = { queued: 'queued', delivered: 'sent', failing: 'failing', given_up: 'given_up' } as const;

function reasonWithoutMessage(status: AlertStatus, hasData: boolean): EvaluationReason {
  switch (status) {
    case 'OK':
    case 'DISABLED':
      return hasData ? 'not_breaching' : 'no_data';
    case 'PENDING':
      return 'pending';
    case 'INSUFFICIENT_DATA':
      return 'no_data';
    case 'ALERT':
      return 'already_notified';
    default:
      return assertNever(status);
  }
}

/** Of a window without groups: what its state says. */
function reasonOf({ error, status }: Evaluation, groups: readonly PresentedGroup[]): EvaluationReason {
  if (error) return 'error';
  const found = new Set(groups.map(({ reason }) => reason));
  return evaluationReasons.find((reason) => found.has(reason)) ?? reasonWithoutMessage(status, false);
}

function isSameGroup(a: readonly GroupPart[], b: readonly GroupPart[]): boolean {
  return a.length === b.length && a.every(({ key, value }, at) => key === b[at]?.key && value === b[at]?.value);
}

export function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}
