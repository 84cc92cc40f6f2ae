import { AlertEvaluationSchema, EvaluationsQuerySchema } from '../../../contract/alert-log.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { AlertLogService } from '../alert-log-service.ts';
import { presentEvaluation } from '../present-alert-log.ts';

/**
 * Every evaluated window with its values, outcome and notifications. Newest first, paged, optionally within a range.
 */
export function listAlertHistory(log: AlertLogService): Operation {
  return operation({
    id: 'listAlertHistory',
    method: 'GET',
    path: '/alerts/:id/history',
    flavours: ['selfHosted', 'managed'],
    summary: 'List the evaluations of an alert',
    tag: 'Alerts',
    role: 'read',
    query: EvaluationsQuerySchema,
    answer: { kind: 'list', schema: AlertEvaluationSchema, paged: true },
    errors: ['request_invalid', 'alert_not_found'],
    handle: async ({ principal, params, query }) => {
      const { evaluations, page } = await log.listEvaluations(principal.tenantId, params.id ?? '', query);
      return { kind: 'data', data: evaluations.map(presentEvaluation), page };
    },
  });
}
