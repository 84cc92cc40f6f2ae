import { metricTableKeys } from '../../../contract/source.ts';
import type { TileVariable } from '../../../contract/variables.ts';
import type { BucketEdges, TimeRange } from '../../../query/chart-query.ts';
import {
  type RawStatement,
  sourceTableKind,
  type TemplateScope,
  usesMacro,
  type VariableValues,
  type WrittenCondition,
  writeConditions,
  writeFilters,
  writeStatement,
} from '../../../query/compile-raw-sql.ts';
import { QueryTextError } from '../../../query/compiled-query.ts';
import type { MetricKind, SourceSchema } from '../../../query/source-schema.ts';
import type { SourceCondition } from '../request/chart-definition.ts';
import { isOneOf } from '../request/read-tiles-request.ts';
import { type SqlTile, sqlTemplatePath } from '../request/sql-tile.ts';
import { toTextProblem } from '../request/text-problem.ts';
import type { SqlPlace } from './sql-place.ts';
import type { SqlPlaces } from './sql-places.ts';

/** What surrounds the statement of a tile. */
export interface SqlFrame {
  range: TimeRange;
  intervalMs: number;
  /** Buckets start at this instant plus multiples of the interval. */
  originMs: number;
  /** Or they lie between these. */
  edges?: BucketEdges;
  conditions: readonly SourceCondition[];
  /** By name; those without a value are among them. */
  variables: ReadonlyMap<string, SqlVariable>;
}

export interface SqlVariable extends VariableValues {
  /** What the variable's filter compares, in the SQL of conditions; `$__filter($name)` needs it. */
  expression?: string;
}

export function sqlVariables(variables: readonly TileVariable[]): SqlFrame['variables'] {
  return new Map(variables.map(({ name, ...rest }) => [name, rest]));
}

/** The statement with its macros replaced. Throws `query_invalid` with path and position. */
export async function writeSql(
  tile: SqlTile,
  frame: SqlFrame,
  place: SqlPlace,
  places: SqlPlaces,
): Promise<RawStatement> {
  const { source } = place;
  const needsSchema = usesMacro(tile.template, 'filters') || usesMacro(tile.template, 'filter');
  const kind = source?.kind === 'metric' ? metricKindOf(sourceTableKind(tile.template)) : undefined;
  const schema = source && needsSchema ? await places.schemaOf(place, source, kind) : undefined;
  const scope: TemplateScope = {
    range: frame.range,
    intervalMs: frame.intervalMs,
    originMs: frame.originMs,
    ...(frame.edges && { edgesMs: frame.edges.atMs }),
    variables: frame.variables,
    tableOf: (kind) => tableOfSource(place, kind),
    filters: () => filtersOf(schema, place, frame),
    variableFilter: (name) => variableFilterOf(schema, name, frame),
  };
  return asProblem(place, () => writeStatement(tile.template, scope));
}

/** Runs it with the path of the text in errors. */
function asProblem<T>({ name }: SqlPlace, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toSqlProblem(error, name);
  }
}

/** An error of the person's texts as the client may see it; others come back as they are. */
export function toSqlProblem(error: unknown, name: string): unknown {
  return error instanceof QueryTextError ? toTextProblem(error, name, (where = sqlTemplatePath) => where) : error;
}

function tableOfSource({ source }: SqlPlace, kind: string | undefined): { database: string; table: string } {
  if (!source) throw new QueryTextError('$__sourceTable needs the tile to name a source');
  const { databaseName: database, tableName } = source.from;
  if (source.kind !== 'metric') {
    if (kind === undefined) return { database, table: tableName };
    throw new QueryTextError(`$__sourceTable takes no argument: the source is of kind ${source.kind}`);
  }
  const key = metricTableKeys.find((known) => known === kind?.toLowerCase());
  const table = key && source.metricTables[key];
  if (table) return { database, table };
  const known = metricTableKeys.filter((each) => source.metricTables[each]).map((each) => `$__sourceTable(${each})`);
  throw new QueryTextError(`a source of metrics has a table per type of metric; use ${known.join(', ')}`);
}

function filtersOf(schema: SourceSchema | undefined, { source }: SqlPlace, { conditions }: SqlFrame) {
  if (!source || !schema) throw new QueryTextError('$__filters needs the tile to name a source');
  return writeFilters(
    conditions.filter(({ sourceId }) => sourceId === undefined || sourceId === source.id),
    schema,
  );
}

/** As the filter of the dashboard narrows a tile. */
function variableFilterOf(schema: SourceSchema | undefined, name: string, { variables }: SqlFrame): WrittenCondition {
  const { expression, values } = variables.get(name) ?? { values: [] };
  const written = schema && expression?.trim() && isOneOf(expression, values);
  if (!written) {
    throw new QueryTextError(
      `$__filter($${name}) needs a source and an expression of the variable; write $__filter(column, $${name})`,
    );
  }
  const place = [...variables.keys()].indexOf(name);
  const condition = { where: written, whereLanguage: 'sql' as const, path: sqlTemplatePath };
  return writeConditions([condition], schema, `q${place}_`) ?? { sql: '1 = 1', params: {} };
}

function metricKindOf(key: string | undefined): MetricKind | undefined {
  switch (key?.toLowerCase()) {
    case 'sum':
    case 'gauge':
    case 'histogram':
    case 'summary':
      return key.toLowerCase() as 'sum' | 'gauge' | 'histogram' | 'summary';
    case 'exponential histogram':
      return 'exponentialHistogram';
    default:
      return undefined;
  }
}
