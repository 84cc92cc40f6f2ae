import { AlertDeliverySchema } from '../../../contract/alert-log.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { DeliveryReplayService } from '../delivery-replay-service.ts';
import { presentDelivery } from '../present-alert-log.ts';

/** Extension. The answer is the delivery to come: pending until it was tried. */
export function replayAlertDelivery(replays: DeliveryReplayService): Operation {
  return operation({
    id: 'replayAlertDelivery',
    method: 'POST',
    path: '/alerts/:id/deliveries/:deliveryId/replay',
    flavours: ['selfHosted', 'managed'],
    summary: 'Send the message of a delivery again',
    tag: 'Alerts',
    role: 'admin',
    answer: { kind: 'one', schema: AlertDeliverySchema },
    errors: ['alert_not_found', 'delivery_not_found', 'conflict'],
    handle: async ({ principal, params }) => ({
      kind: 'data',
      data: presentDelivery(await replays.replay(principal.tenantId, params.id ?? '', params.deliveryId ?? '')),
    }),
  });
}
