import type { Guards } from './chart-query.ts';
import type { CompiledQuery } from './compiled-query.ts';
import { finishPlan } from './finish-plan.ts';
import type { HeatmapQuery } from './heatmap-query.ts';
import { planHeatmap } from './plan/plan-heatmap.ts';
import type { EventSourceSchema } from './source-schema.ts';

/**
 * A heatmap as one statement with one row: `logarithmic` (0 or 1), `edges` (of the rows of the heatmap, ascending; at
 * least two, of which those at the ends may have no value between them), and of the cells that have events, in any
 * order, `starts` (of the bucket, Unix ms), `lows` (the edge at or below the values) and `counts`. A value beyond the
 * edges, which can only come from an event that arrived while the statement ran, is in the row next to it. Throws
 * `QueryTextError` with the path (`value`, `count`, `where` or that of a condition) and the position.
 */
export function compileHeatmap(query: HeatmapQuery, source: EventSourceSchema, guards: Guards): CompiledQuery {
  return finishPlan(planHeatmap(query, source), guards);
}
