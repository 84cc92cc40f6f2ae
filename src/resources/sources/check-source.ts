import { isQuerySetting, isQuerySettingValue, querySettingNames } from '../../contract/query-settings.ts';
import { metricTableKeys } from '../../contract/source.ts';
import { QueryTextError, textProblem } from '../../query/compiled-query.ts';
import { parseSqlCondition, parseSqlValue } from '../../query/sql/parse-sql.ts';
import type { Connection } from '../connections/connection-repository.ts';
import type { Source } from './source.ts';

/**
 * What is wrong with a source beyond its schema, as `path: reason`; `undefined` when nothing is.
 * `connection` is the one that the source names, looked up within the tenant.
 */
export function sourceProblem(
  source: Source,
  connection: Connection | undefined,
  databases: readonly string[],
): string | undefined {
  if (!connection) return 'connection: there is no such connection.';
  const foreign = connection.builtIn && foreignDatabase(source, databases);
  if (foreign) {
    return `${foreign.path}: the built-in connection reads only the database "${databases[0]}", not "${foreign.database}".`;
  }
  if (source.kind === 'metric' && !metricTableKeys.some((key) => source.metricTables[key])) {
    return `metricTables: at least one of ${metricTableKeys.join(', ')} must name a table.`;
  }
  return settingsProblem(source) ?? textsProblem(source);
}

function settingsProblem({ querySettings }: Source): string | undefined {
  for (const [index, each] of querySettings.entries()) {
    const path = `querySettings.${index}`;
    if (!isQuerySetting(each)) return `${path}.setting: must be one of ${querySettingNames.join(', ')}.`;
    if (!isQuerySettingValue(each.value)) return `${path}.value: must be a whole number.`;
  }
  return undefined;
}

/** Texts that can't be read would make the source unreadable; their names are validated when the table is read. */
function textsProblem(source: Source): string | undefined {
  if (source.kind !== 'log' && source.kind !== 'trace') return undefined;
  const filter = textProblemOf('tableFilterExpression', () => parseSqlCondition(source.tableFilterExpression ?? ''));
  const sampleRate = source.kind === 'trace' ? source.sampleRateExpression?.trim() : undefined;
  return filter ?? (sampleRate ? textProblemOf('sampleRateExpression', () => parseSqlValue(sampleRate)) : undefined);
}

function textProblemOf(path: string, parse: () => unknown): string | undefined {
  try {
    parse();
    return undefined;
  } catch (error) {
    if (error instanceof QueryTextError) return `${path}: ${textProblem(error)}`;
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
