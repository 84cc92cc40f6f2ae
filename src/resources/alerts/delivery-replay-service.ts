import { AppError } from '../../contract/errors.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { AlertLog, Delivery } from './alert-log.ts';
import type { AlertService } from './alert-service.ts';

export interface DeliveryReplayDeps {
  alerts: Pick<AlertService, 'get'>;
  log: Pick<AlertLog, 'replay'>;
  ids: Pick<Ids, 'secret'>;
  clock: Clock;
}

/** Sends a message of an alert once more, after whatever kept it from its receiver was put right. */
export class DeliveryReplayService {
  readonly #deps: DeliveryReplayDeps;

  constructor(deps: DeliveryReplayDeps) {
    this.#deps = deps;
  }

  /**
   * The delivery that will be tried next. Throws `alert_not_found`, `delivery_not_found`, and `conflict` when the message
   * is no longer kept or still to be sent, or its webhook is gone.
   */
  async replay(tenantId: string, alertId: string, deliveryId: string): Promise<Delivery> {
    const { alerts, log, ids, clock } = this.#deps;
    await alerts.get(tenantId, alertId);
    const nowMs = clock.nowMs();
    const outcome = await log.replay({ tenantId, alertId, deliveryId, messageId: ids.secret(16), nowMs });
    switch (outcome.kind) {
      case 'queued':
        return outcome.delivery;
      case 'missing':
        throw new AppError('delivery_not_found');
      case 'pruned':
        throw conflict('The message of this delivery is no longer stored, so it cannot be sent again.');
      case 'pending':
        throw conflict('The message of this delivery is still being delivered.');
      case 'webhookGone':
        throw conflict('The webhook of this delivery no longer exists.');
    }
  }
}

function conflict(text: string): AppError {
  return new AppError('conflict', { public: text });
}
