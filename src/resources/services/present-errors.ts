import type { ServiceError } from '../../contract/services.ts';
import type { QueryResult } from '../../telemetry/ports.ts';
import { cellsOf } from './measured-groups.ts';

/** Columns as `compileServiceErrors` says. */
export function presentErrors(result: QueryResult): ServiceError[] {
  const cell = cellsOf(result);
  const text = (name: string, row: number): string => String(cell(name, row) ?? '');
  const instant = (name: string, row: number): string => new Date(Number(cell(name, row))).toISOString();
  return Array.from({ length: result.rows }, (_, row) => ({
    type: text('type', row),
    lastMessage: text('last_message', row),
    spans: Number(cell('spans', row)),
    traces: Number(cell('traces', row)),
    firstAt: instant('first_ms', row),
    lastAt: instant('last_ms', row),
    lastTraceId: text('last_trace_id', row),
  }));
}
