import type { Operation } from '../../../http/operation.ts';
import type { AlertMarkService } from '../alert-mark-service.ts';
import { acknowledgeAlert } from './acknowledge-alert.ts';
import { silenceAlert } from './silence-alert.ts';
import { unacknowledgeAlert } from './unacknowledge-alert.ts';
import { unsilenceAlert } from './unsilence-alert.ts';

/** Every operation with which people say that they know. */
export function alertMarkOperations(marks: AlertMarkService): Operation[] {
  return [silenceAlert(marks), unsilenceAlert(marks), acknowledgeAlert(marks), unacknowledgeAlert(marks)];
}
