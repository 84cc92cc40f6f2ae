import type { AlertAcknowledged, AlertSilenced } from '../../contract/alert.ts';
import { AppError } from '../../contract/errors.ts';
import type { Clock } from '../../kernel/clock.ts';
import { parseInstant } from '../../kernel/instant.ts';
import type { StoredAlert } from './alert.ts';
import type { AlertRepository } from './alert-repository.ts';
import type { AlertService } from './alert-service.ts';

export interface AlertMarkServiceDeps {
  alerts: Pick<AlertService, 'get'>;
  repository: Pick<AlertRepository, 'setSilenced' | 'setAcknowledged'>;
  clock: Clock;
}

/** An alert as it is named in a request. */
interface Named {
  tenantId: string;
  id: string;
}

/** What people say of an alert: not now, or I am on it. Every method throws `alert_not_found`. */
export class AlertMarkService {
  readonly #alerts: Pick<AlertService, 'get'>;
  readonly #repository: AlertMarkServiceDeps['repository'];
  readonly #clock: Clock;

  constructor({ alerts, repository, clock }: AlertMarkServiceDeps) {
    this.#alerts = alerts;
    this.#repository = repository;
    this.#clock = clock;
  }

  /** Nothing is sent until then; replaces an earlier one. Throws `request_invalid` unless `until` is in the future. */
  async silence(named: Named, by: string, input: { until: string; comment?: string }): Promise<StoredAlert> {
    const { alert } = await this.#alerts.get(named.tenantId, named.id);
    const nowMs = this.#clock.nowMs();
    const untilMs = parseInstant(input.until);
    if (untilMs === undefined) throw invalid('until: must be an ISO 8601 date-time with Z or an offset.');
    if (untilMs <= nowMs) throw invalid('until: must be in the future.');
    const silenced: AlertSilenced = { ...this.#signed(by, input.comment), until: new Date(untilMs).toISOString() };
    await this.#setSilenced(named.tenantId, alert.id, silenced);
    return this.#alerts.get(named.tenantId, alert.id);
  }

  async unsilence({ tenantId, id }: Named): Promise<void> {
    const { alert } = await this.#alerts.get(tenantId, id);
    await this.#setSilenced(tenantId, alert.id, null);
  }

  /** What fires now is not repeated; what starts later is notified. Throws `conflict` when nothing fires. */
  async acknowledge(named: Named, by: string, comment: string | undefined): Promise<StoredAlert> {
    const { alert } = await this.#alerts.get(named.tenantId, named.id);
    await this.#setAcknowledged(named.tenantId, alert.id, this.#signed(by, comment));
    return this.#alerts.get(named.tenantId, alert.id);
  }

  async unacknowledge({ tenantId, id }: Named): Promise<void> {
    const { alert } = await this.#alerts.get(tenantId, id);
    await this.#setAcknowledged(tenantId, alert.id, null);
  }

  #signed(by: string, comment: string | undefined): AlertAcknowledged {
    const at = new Date(this.#clock.nowMs()).toISOString();
    return { by, at, ...(comment !== undefined && { comment }) };
  }

  async #setSilenced(tenantId: string, id: string, silenced: AlertSilenced | null): Promise<void> {
    if (!(await this.#repository.setSilenced(tenantId, id, silenced))) throw new AppError('alert_not_found');
  }

  async #setAcknowledged(tenantId: string, id: string, acknowledged: AlertAcknowledged | null): Promise<void> {
    const outcome = await this.#repository.setAcknowledged(tenantId, id, acknowledged);
    if (outcome === 'missing') throw new AppError('alert_not_found');
    if (outcome === 'notFiring') throw new AppError('conflict', { public: 'The alert is not firing.' });
  }
}

function invalid(text: string): AppError {
  return new AppError('request_invalid', { public: text });
}
