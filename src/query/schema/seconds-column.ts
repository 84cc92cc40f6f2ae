import type { TableSchema } from '../source-schema.ts';

/** The time columns of a source. */
export interface TimeColumns {
  timestampColumn: string;
  sortTimeColumn?: string;
}

/** Where the times end that `DateTime` can hold, in 2106. */
export const secondsEndMs = 2 ** 32 * 1000;

/**
 * The column that holds the exact time cut to whole seconds, known by the default that fills it (`TimestampTime` of
 * logs). It is half as wide as the exact one and in the order of the sort key, so that it is read much faster; what is
 * asked in whole seconds needs nothing else. `undefined` when there is none. Right for times between 1970 and 2106.
 */
export function secondsColumn(
  table: TableSchema,
  { timestampColumn, sortTimeColumn }: TimeColumns,
): string | undefined {
  if (sortTimeColumn === undefined || !table.columns.has(sortTimeColumn)) return undefined;
  return table.defaults?.get(sortTimeColumn) === `toDateTime(${timestampColumn})` ? sortTimeColumn : undefined;
}

export function isWholeSeconds(...times: readonly number[]): boolean {
  return times.every((timeMs) => timeMs % 1000 === 0);
}
