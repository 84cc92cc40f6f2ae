import { AlertTrendSchema, AlertTrendsQuerySchema } from '../../../contract/alert-trend.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { AlertLogService } from '../alert-log-service.ts';
import { presentTrend } from '../present-alert-trend.ts';

/** The last windows of several alerts, for lists: one request instead of one per alert. */
export function listAlertTrends(log: AlertLogService): Operation {
  return operation({
    id: 'listAlertTrends',
    method: 'GET',
    path: '/alerts/trends',
    flavours: ['selfHosted', 'managed'],
    summary: 'List the last windows of several alerts',
    tag: 'Alerts',
    role: 'read',
    query: AlertTrendsQuerySchema,
    answer: { kind: 'list', schema: AlertTrendSchema },
    errors: ['request_invalid'],
    handle: async ({ principal, query }) => {
      const trends = await log.listTrends(principal.tenantId, query.ids.split(','));
      return { kind: 'data', data: trends.map(presentTrend) };
    },
  });
}
