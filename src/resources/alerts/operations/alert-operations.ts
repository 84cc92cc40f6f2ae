import type { Operation } from '../../../http/operation.ts';
import type { AlertService } from '../alert-service.ts';
import { createAlert } from './create-alert.ts';
import { deleteAlert } from './delete-alert.ts';
import { getAlert } from './get-alert.ts';
import { listAlerts } from './list-alerts.ts';
import { updateAlert } from './update-alert.ts';

/** Every operation on alerts. */
export function alertOperations(alerts: AlertService): Operation[] {
  return [listAlerts(alerts), createAlert(alerts), getAlert(alerts), updateAlert(alerts), deleteAlert(alerts)];
}
