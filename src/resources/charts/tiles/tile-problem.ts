import { AppError } from '../../../contract/errors.ts';
import type { TileProblem } from '../../../contract/tile-query.ts';
import { QueryProblem } from '../request/query-problem.ts';

/** The problem of a tile, for its answer. Rethrows errors that concern neither the tile nor the store. */
export function tileProblem(error: unknown, isConfig: boolean): TileProblem {
  if (!(error instanceof AppError)) throw error;
  if (!(error instanceof QueryProblem)) return { code: error.code, message: error.publicText };
  const path = isConfig ? configPath(error.path) : error.path;
  const { position } = error;
  const message = position === undefined ? error.reason : `${error.reason} (at position ${position})`;
  return { code: error.code, message, path, ...(position !== undefined && { position }) };
}

/** The problem at its place in the text as it was written, before variables had values. */
export function asWritten(problem: TileProblem, originOf: (path: string, position: number) => number): TileProblem {
  const { path, position, message } = problem;
  if (path === undefined || position === undefined) return problem;
  const origin = originOf(path, position);
  return {
    ...problem,
    position: origin,
    message: message.replace(`(at position ${position})`, `(at position ${origin})`),
  };
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
