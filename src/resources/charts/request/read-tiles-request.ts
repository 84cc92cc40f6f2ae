import { AppError } from '../../../contract/errors.ts';
import { substituteVariables } from '../../../contract/substitute-variables.ts';
import type { TileFilter, TilesRequest } from '../../../contract/tile-query.ts';
import type { TileVariable } from '../../../contract/variables.ts';
import { quoteText } from '../../../kernel/sql-quoting.ts';
import type { TimeRange } from '../../../query/chart-query.ts';
import type { SourceCondition } from './chart-definition.ts';
import { type BucketPlaces, chooseGranularity, placeBuckets } from './granularity.ts';
import { readRange } from './read-chart-request.ts';
import { readTimeZone } from './read-time-zone.ts';

/** What all tiles of a request have in common. */
export interface TileFrame extends BucketPlaces {
  range: TimeRange;
  /** Buckets of whole days begin at its midnights. */
  timezone: string;
  conditions: readonly SourceCondition[];
  variables: readonly TileVariable[];
  explain: boolean;
}

/** Throws `query_invalid` with the path and what would be right. */
export function readTilesRequest(body: TilesRequest): TileFrame {
  const range = readRange(body);
  const { variables = [] } = body;
  const timezone = readTimeZone(body.timezone);
  rejectRepeated(variables);
  const conditions = [
    ...(body.filters ?? []).flatMap(readFilter),
    ...(body.where?.trim()
      ? [{ where: body.where, whereLanguage: body.whereLanguage ?? ('lucene' as const), path: 'where' }]
      : []),
  ];
  return {
    range,
    timezone,
    ...placeBuckets(chooseGranularity(body.granularity, range), range, timezone),
    explain: body.explain ?? false,
    variables,
    conditions: conditions.map((each) => withValues(each, variables)),
  };
}

function rejectRepeated(variables: readonly TileVariable[]): void {
  const index = variables.findIndex(({ name }, at) => variables.findIndex((other) => other.name === name) < at);
  if (index < 0) return;
  throw new AppError('query_invalid', { public: `variables.${index}.name: the same variable is listed twice.` });
}

/** What a person chose is compared as it is; conditions that were written may name variables. */
function withValues(condition: SourceCondition, variables: readonly TileVariable[]): SourceCondition {
  if (condition.path.endsWith('.expression')) return condition;
  return { ...condition, where: substituteVariables(condition.where, condition.whereLanguage, variables).text };
}

function readFilter(filter: TileFilter, index: number): SourceCondition[] {
  const { sourceId, type = 'lucene', condition, expression, values } = filter;
  const source = sourceId === undefined ? {} : { sourceId };
  const conditions: SourceCondition[] = [];
  if (condition?.trim()) {
    conditions.push({ ...source, where: condition, whereLanguage: type, path: `filters.${index}.condition` });
  }
  if (values && values.length > 0) {
    if (!expression?.trim()) {
      throw new AppError('query_invalid', {
        public: `filters.${index}.expression: is required if there are values.`,
      });
    }
    const where = isOneOf(expression, values);
    conditions.push({ ...source, where, whereLanguage: 'sql', path: `filters.${index}.expression` });
  }
  return conditions;
}

/** As literals of the condition language, which is parsed again: no text of a value becomes a part of it. */
export function isOneOf(expression: string, values: readonly string[]): string {
  return `toString(${expression}) IN (${values.map(quoteText).join(', ')})`;
}
