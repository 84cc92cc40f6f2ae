import { metricTableKeys } from '../../contract/source.ts';
import { QueryTextError, textFault } from '../../query/compiled-query.ts';
import { parseSqlCondition } from '../../query/sql/parse-sql.ts';
import type { Connection } from '../connections/connection-repository.ts';
import type { Source } from './source.ts';

/**
 * What is wrong with a source beyond its schema, as `path: reason`; `undefined` when nothing is.
 * `connection` is the one that the source names, looked up within the tenant.
 */
export function sourceFault(
  source: Source,
  connection: Connection | undefined,
  databases: readonly string[],
): string | undefined {
  if (!connection) return 'connection: there is no such connection.';
  const foreign = connection.builtIn && foreignDatabase(source, databases);
  if (foreign) {
    return `${foreign.path}: the built-in connection reads the database "${databases[0]}" only, not "${foreign.database}".`;
  }
  if (source.kind === 'metric' && !metricTableKeys.some((key) => source.metricTables[key])) {
    return `metricTables: at least one of ${metricTableKeys.join(', ')} must name a table.`;
  }
  return filterFault(source);
}

/** A filter that can't be read would make the source unreadable; its names are judged when the table is read. */
function filterFault(source: Source): string | undefined {
  if (source.kind !== 'log' && source.kind !== 'trace') return undefined;
  try {
    parseSqlCondition(source.tableFilterExpression ?? '');
    return undefined;
  } catch (error) {
    if (error instanceof QueryTextError) return `tableFilterExpression: ${textFault(error)}`;
    throw error;
  }
}

/** The first database that a source names and that is not one of the tenant's own (decisions F2, S2). */
export function foreignDatabase(
  source: Source,
  own: readonly string[],
): { path: string; database: string } | undefined {
  const named = [{ path: 'from.databaseName', database: source.from.databaseName }];
  if (source.kind === 'log' || source.kind === 'trace') {
    const views = source.materializedViews;
    named.push(
      ...views.map((view, i) => ({ path: `materializedViews.${i}.databaseName`, database: view.databaseName })),
    );
  }
  return named.find(({ database }) => !own.includes(database));
}
