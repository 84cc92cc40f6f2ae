import { ChartMetaSchema, ChartRequestSchema, ChartRowSchema } from '../../../contract/chart.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { ChartService } from '../answer/chart-service.ts';

/** seed §Charts: for keys in the self-hosted flavour only, POST only. Errors have `message` and `error` (decisions F5). */
export function queryChartSeries(charts: ChartService): Operation {
  return operation({
    id: 'queryChartSeries',
    method: 'POST',
    path: '/charts/series',
    flavours: ['selfHosted'],
    console: true,
    summary: 'Query time series chart data',
    tag: 'Charts',
    role: 'read',
    body: ChartRequestSchema,
    bodyInvalid: 'query_invalid',
    answer: { kind: 'list', schema: ChartRowSchema, meta: ChartMetaSchema },
    errors: ['query_invalid', 'source_not_found', 'connection_not_found', 'engine_unavailable', 'query_timeout'],
    errorInBothKeys: true,
    handle: async ({ principal, body, signal }) => {
      const { rows, meta } = await charts.query(principal.tenantId, body, signal);
      return { kind: 'text', json: rows, meta };
    },
  });
}
