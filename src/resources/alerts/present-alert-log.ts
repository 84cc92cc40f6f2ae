import {
  type AlertDeliveryRecord,
  type AlertEvaluationRecord,
  type EvaluationReason,
  evaluationReasons,
} from '../../contract/alert-log.ts';
import type { GroupPart } from '../../evaluator/ports.ts';
import { assertNever } from '../../kernel/assert-never.ts';
import type { AlertStatus } from './alert.ts';
import type { Delivery, Evaluation, JudgedGroup } from './alert-log.ts';

export function presentDelivery({ atMs, told, ...delivery }: Delivery): AlertDeliveryRecord {
  return { at: timestamp(atMs), ...delivery, ...(told && { reason: told.reason, group: [...told.group] }) };
}

export function presentEvaluation(evaluation: Evaluation): AlertEvaluationRecord {
  const { windowStartMs, windowEndMs, judgedAtMs, status, groups, notifications, ...rest } = evaluation;
  const presented = groups.map((judged) => presentGroup(judged, notifications));
  return {
    windowStart: timestamp(windowStartMs),
    windowEnd: timestamp(windowEndMs),
    evaluatedAt: timestamp(judgedAtMs),
    state: status,
    ...rest,
    reason: reasonOf(evaluation, presented),
    groups: presented,
    notifications: notifications.map(({ group, ...told }) => ({ ...told, group: [...group] })),
  };
}

type Told = Evaluation['notifications'];
type PresentedGroup = AlertEvaluationRecord['groups'][number];

function presentGroup(judged: JudgedGroup, notifications: Told): PresentedGroup {
  const { group, value, status: state } = judged;
  return { group: [...group], value, state, reason: reasonOfGroup(judged, notifications) };
}

/** Why somebody was told of a group, or nobody (decisions A6, A7). */
function reasonOfGroup({ group, value, status, told, withheld }: JudgedGroup, notifications: Told): EvaluationReason {
  // Rows from before it was kept with the group have it from their messages.
  if (told ?? notifications.some((message) => isSameGroup(message.group, group))) return 'sent';
  return withheld ?? quietReason(status, value !== null);
}

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
