import type { AlertDeliveryRecord, AlertEvaluationRecord, quietReasons } from '../../contract/alert-log.ts';
import { assertNever } from '../../kernel/assert-never.ts';
import type { Delivery, Evaluation } from './alert-log.ts';

export function presentDelivery({ atMs, told, ...delivery }: Delivery): AlertDeliveryRecord {
  return { at: timestamp(atMs), ...delivery, ...(told && { reason: told.reason, group: [...told.group] }) };
}

export function presentEvaluation(evaluation: Evaluation): AlertEvaluationRecord {
  const { windowStartMs, windowEndMs, judgedAtMs, status, groups, notifications, ...rest } = evaluation;
  return {
    windowStart: timestamp(windowStartMs),
    windowEnd: timestamp(windowEndMs),
    evaluatedAt: timestamp(judgedAtMs),
    state: status,
    ...rest,
    groups: groups.map(({ group, value, status: state }) => ({ group: [...group], value, state })),
    notifications: notifications.map(({ group, ...told }) => ({ ...told, group: [...group] })),
    ...(notifications.length === 0 && { quietReason: quietReasonOf(evaluation) }),
  };
}

/** Why a window without messages has none (decisions A6, A7). */
function quietReasonOf({ status, error }: Evaluation): (typeof quietReasons)[number] {
  if (error) return 'notEvaluated';
  switch (status) {
    case 'OK':
    case 'DISABLED':
      return 'notFiring';
    case 'PENDING':
      return 'pending';
    case 'INSUFFICIENT_DATA':
      return 'noData';
    case 'ALERT':
      return 'alreadyNotified';
    default:
      return assertNever(status);
  }
}

function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}
