import { evaluationsPageSize } from '../../contract/alert-log.ts';
import { limits } from '../../contract/limits.ts';
import type { PageQuery } from '../../contract/pagination.ts';
import type { AlertLog, Delivery, Evaluation, LogPage } from './alert-log.ts';
import type { AlertService } from './alert-service.ts';

type Paged<Records> = Records & { page: LogPage & { total: number } };

/** What an alert did: its windows and its messages (decisions A8). Throws `alert_not_found` like the alert itself. */
export class AlertLogService {
  readonly #alerts: Pick<AlertService, 'get'>;
  readonly #log: AlertLog;

  constructor(alerts: Pick<AlertService, 'get'>, log: AlertLog) {
    this.#alerts = alerts;
    this.#log = log;
  }

  /** Every attempt, newest first. */
  async listDeliveries(tenantId: string, id: string, query: PageQuery): Promise<Paged<{ deliveries: Delivery[] }>> {
    const { alert } = await this.#alerts.get(tenantId, id);
    const page = { limit: query.limit ?? limits.pageSize, offset: query.offset ?? 0 };
    const { deliveries, total } = await this.#log.listDeliveries(tenantId, alert.id, page);
    return { deliveries, page: { total, ...page } };
  }

  /** Every window, newest first. */
  async listEvaluations(tenantId: string, id: string, query: PageQuery): Promise<Paged<{ evaluations: Evaluation[] }>> {
    const { alert } = await this.#alerts.get(tenantId, id);
    const page = { limit: query.limit ?? evaluationsPageSize, offset: query.offset ?? 0 };
    const { evaluations, total } = await this.#log.listEvaluations(tenantId, alert.id, page);
    return { evaluations, page: { total, ...page } };
  }
}
