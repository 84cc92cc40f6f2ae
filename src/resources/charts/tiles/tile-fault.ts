import { AppError } from '../../../contract/errors.ts';
import type { TileFault } from '../../../contract/tile-query.ts';
import { QueryFault } from '../request/query-fault.ts';

/** What is wrong with a tile, for its answer. Throws what is no fault of the tile's or the store's. */
export function tileFault(error: unknown, isConfig: boolean): TileFault {
  if (!(error instanceof AppError)) throw error;
  if (!(error instanceof QueryFault)) return { code: error.code, message: error.publicText };
  const path = isConfig ? configPath(error.path) : error.path;
  const { position } = error;
  const message = position === undefined ? error.reason : `${error.reason} (at position ${position})`;
  return { code: error.code, message, path, ...(position !== undefined && { position }) };
}

const configNames: Readonly<Record<string, string>> = { field: 'valueExpression', metricDataType: 'metricType' };

/** A path of the series form as a path of the `config` form. */
export function configPath(path: string): string {
  if (/^series\.\d+\.groupBy/.test(path)) return 'config.groupBy';
  if (/^series\.\d+\.sourceId$/.test(path)) return 'config.sourceId';
  return path.replace(/^series\.(\d+)(?:\.(\w+))?/, (_, index, key) => {
    return `config.select.${index}${key === undefined ? '' : `.${configNames[key] ?? key}`}`;
  });
}
