import { attributeReads } from './attribute-reads.ts';
import type { Guards } from './chart-query.ts';
import { type CompiledQuery, QueryTextError } from './compiled-query.ts';
import { countProjections } from './passes/use-count-projections.ts';
import { verifyGuards } from './passes/verify-guards.ts';
import { allSelects, type Select } from './plan/select.ts';
import { printClickHouse } from './print/print-clickhouse.ts';
import { statementLengthMax } from './text-limits.ts';

/** The last steps of every statement: guards verified, printed, settings that hold the engine to the limits. */
export function finishPlan(plan: Select, guards: Guards): CompiledQuery {
  verifyGuards(plan, guards);
  const { sql, params } = printClickHouse(plan);
  if (sql.length > statementLengthMax)
    throw new QueryTextError('the conditions of this query are too long; use fewer terms');
  const reads = attributeReads(plan);
  const settings = { ...hints(plan), ...guards.settings, ...settingsOf(guards) };
  return { sql, params, settings, ...(reads.length > 0 && { attributeReads: reads }) };
}

/** What the plan knows of its rows, for the engine. */
function hints(plan: Select): Record<string, number> {
  const selects = [...allSelects(plan)];
  return {
    ...(selects.some(({ inOrder }) => inOrder) && { optimize_aggregation_in_order: 1 }),
    ...(selects.some(({ fewRows }) => fewRows) && { max_threads: 1 }),
    ...(!selects.some(mayBeProjected) && { optimize_use_projections: 0 }),
  };
}

/**
 * Whether the engine should look for a projection, which takes one to three milliseconds. Tables of other writers, and
 * our own after others added to them, may have projections that the plan does not know.
 */
function mayBeProjected({ from }: Select): boolean {
  if (from.kind !== 'table') return false;
  const { isOurs, projections = [] } = from.table;
  return from.mayBeProjected === true || !isOurs || [...projections].some((name) => !countProjections.has(name));
}

/** What holds the engine to the limits, in every statement. */
export function settingsOf(guards: Omit<Guards, 'database'>): Record<string, string | number> {
  return {
    readonly: 1,
    max_execution_time: Math.max(1, Math.ceil(guards.timeoutMs / 1000)),
    max_memory_usage: guards.memoryBytesMax,
    max_result_rows: guards.resultRowsMax,
    result_overflow_mode: 'throw',
    ...(guards.rowsToReadMax === undefined ? {} : { max_rows_to_read: guards.rowsToReadMax }),
    use_query_condition_cache: 1,
    session_timezone: 'UTC',
  };
}
