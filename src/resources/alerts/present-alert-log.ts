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

export function presentDelivery({ atMs, told, nextAttemptMs, ...delivery }: Delivery): AlertDeliveryRecord {
  const next = nextAttemptMs === undefined ? {} : { nextAttemptAt: timestamp(nextAttemptMs) };
  return { at: timestamp(atMs), ...delivery, ...next, ...(told && { reason: told.reason, group: [...told.group] }) };
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
    notifications: notifications.map(({ group, lastAttemptMs, ...told }) => ({
      ...told,
      group: [...group],
      ...(lastAttemptMs !== undefined && { lastAttemptAt: timestamp(lastAttemptMs) }),
    })),
  };
}

type Told = Evaluation['notifications'];
type PresentedGroup = AlertEvaluationRecord['groups'][number];

function presentGroup(evaluated: EvaluatedGroup, notifications: Told): PresentedGroup {
  const { group, value, status: state } = evaluated;
  return { group: [...group], value, state, reason: reasonOfGroup(evaluated, notifications) };
}

/** What became of what was to be told of a group, by the delivery log; or why there was nothing (decisions A6, A7). */
function reasonOfGroup(
  { group, value, status, told, withheld }: EvaluatedGroup,
  notifications: Told,
): EvaluationReason {
  const own = notifications.filter((message) => isSameGroup(message.group, group));
  const found = new Set<EvaluationReason>(own.map(({ state }) => reasonOfDelivery[state]));
  const worst = evaluationReasons.find((reason) => found.has(reason));
  // Messages are kept for longer than the windows that they tell of.
  return worst ?? (told ? 'sent' : (withheld ?? quietReason(status, value !== null)));
}

const reasonOfDelivery = { queued: 'queued', delivered: 'sent', failing: 'failing', given_up: 'given_up' } as const;

function quietReason(status: AlertStatus, hasData: boolean): EvaluationReason {
  switch (status) {
    case 'OK':
    case 'DISABLED':
      return hasData ? 'not_breaching' : 'no_data';
    case 'PENDING':
      return 'pending';
    case 'INSUFFICIENT_DATA':
      return 'no_data';
    case 'ALERT':
      return 'already_told';
    default:
      return assertNever(status);
  }
}

/** Of a window without groups: what its state says. */
function reasonOf({ error, status }: Evaluation, groups: readonly PresentedGroup[]): EvaluationReason {
  if (error) return 'error';
  const found = new Set(groups.map(({ reason }) => reason));
  return evaluationReasons.find((reason) => found.has(reason)) ?? quietReason(status, false);
}

function isSameGroup(a: readonly GroupPart[], b: readonly GroupPart[]): boolean {
  return a.length === b.length && a.every(({ key, value }, at) => key === b[at]?.key && value === b[at]?.value);
}

function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}
