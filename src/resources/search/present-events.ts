import type { QueryResult } from '../../telemetry/ports.ts';
import type { SelectItem } from '../sources/select-list.ts';

const wideInteger = /^(Nullable\(|LowCardinality\()*U?Int(64|128|256)\)*$/;

/** Flat rows by column or alias; integers of 64 bits and more are text (contract §7). */
export function presentEvents(result: QueryResult, columns: readonly SelectItem[]): Record<string, unknown>[] {
  const isWide = result.types.map((type) => wideInteger.test(type));
  return Array.from({ length: result.rows }, (_, row) =>
    Object.fromEntries(
      columns.map(({ key }, index) => {
        const value = result.columns[index]?.[row] ?? null;
        return [key, isWide[index] && value !== null ? String(value) : value];
      }),
    ),
  );
}
