import { type EvaluationsQuery, evaluationsPageSize } from '../../contract/alert-log.ts';
import { AppError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { PageQuery } from '../../contract/pagination.ts';
import { trendLimits } from '../../contract/trend-limits.ts';
import { parseInstantOrMs } from '../../kernel/instant.ts';
import type { AlertLog, AlertTrend, Delivery, Evaluation, LogPage, WindowEndRange } from './alert-log.ts';
import type { AlertService } from './alert-service.ts';

/** Of the windows of one alert in a list: fifty alerts with a thousand groups each must not hold up the process. */
const charactersMax = 128 * 1024;

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

  /** The windows that end in the range, newest first. Throws `request_invalid`, too. */
  async listEvaluations(
    tenantId: string,
    id: string,
    query: EvaluationsQuery,
  ): Promise<Paged<{ evaluations: Evaluation[] }>> {
    const range = readRange(query);
    const { alert } = await this.#alerts.get(tenantId, id);
    const page = { limit: query.limit ?? evaluationsPageSize, offset: query.offset ?? 0 };
    const { evaluations, total } = await this.#log.listEvaluations(tenantId, alert.id, { ...page, ...range });
    return { evaluations, page: { total, ...page } };
  }

  /** The last windows of each alert; those that the tenant does not have are left out. */
  listTrends(tenantId: string, alertIds: readonly string[]): Promise<AlertTrend[]> {
    return this.#log.listTrends({ tenantId, alertIds, windowsMax: trendLimits.windows, charactersMax });
  }
}

function readRange({ startTime, endTime }: EvaluationsQuery): WindowEndRange {
  const [startMs, endMs] = [readInstant('startTime', startTime), readInstant('endTime', endTime)];
  if (startMs !== undefined && endMs !== undefined && startMs >= endMs) {
    throw invalid('endTime: must be later than startTime');
  }
  return { ...(startMs !== undefined && { startMs }), ...(endMs !== undefined && { endMs }) };
}

function readInstant(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = parseInstantOrMs(text);
  if (ms === undefined) throw invalid(`${name}: must be Unix milliseconds or an ISO 8601 date and time with its zone`);
  return ms;
}

function invalid(problem: string): AppError {
  return new AppError('request_invalid', { public: `Query validation failed: ${problem}` });
}
