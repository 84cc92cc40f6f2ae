import type { Operation } from '../../../http/operation.ts';
import type { AlertLogService } from '../alert-log-service.ts';
import type { AlertService } from '../alert-service.ts';
import type { DeliveryReplayService } from '../delivery-replay-service.ts';
import { createAlert } from './create-alert.ts';
import { deleteAlert } from './delete-alert.ts';
import { getAlert } from './get-alert.ts';
import { listAlertDeliveries } from './list-alert-deliveries.ts';
import { listAlertHistory } from './list-alert-history.ts';
import { listAlertTrends } from './list-alert-trends.ts';
import { listAlerts } from './list-alerts.ts';
import { replayAlertDelivery } from './replay-alert-delivery.ts';
import { updateAlert } from './update-alert.ts';

/** Every operation on alerts. */
export function alertOperations(
  alerts: AlertService,
  log: AlertLogService,
  replays: DeliveryReplayService,
): Operation[] {
  return [
    listAlerts(alerts),
    createAlert(alerts),
    getAlert(alerts),
    updateAlert(alerts),
    deleteAlert(alerts),
    listAlertDeliveries(log),
    listAlertHistory(log),
    listAlertTrends(log),
    replayAlertDelivery(replays),
  ];
}
