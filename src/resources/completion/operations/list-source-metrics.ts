import { MetricNameSchema, MetricsQuerySchema } from '../../../contract/completion.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { CompletionService } from '../completion-service.ts';

/** The metrics that a source has recently received. */
export function listSourceMetrics(completions: CompletionService): Operation {
  return operation({
    id: 'listSourceMetrics',
    method: 'GET',
    path: '/sources/:id/metrics',
    flavours: ['selfHosted'],
    console: true,
    summary: 'List the metrics of a source',
    tag: 'Sources',
    role: 'read',
    query: MetricsQuerySchema,
    answer: { kind: 'list', schema: MetricNameSchema },
    errors: ['request_invalid', 'query_invalid', 'source_not_found', 'connection_not_found', 'engine_unavailable'],
    handle: async ({ principal, params, query }) => ({
      kind: 'data',
      data: await completions.metrics(principal.tenantId, params.id ?? '', query),
    }),
  });
}
