import { splitExpressions } from '../../../../src/contract/split-expressions.ts';
import { substituteVariables } from '../../../../src/contract/substitute-variables.ts';
import type { Tile } from '../../../../src/contract/tile.ts';
import type { TileFilter } from '../../../../src/contract/tile-query.ts';
import type { TileVariable } from '../../../../src/contract/variables.ts';
import type { DashboardCondition } from '../dashboard-filters/saved-filters.ts';
import {
  clauseOf,
  type FilterField,
  fieldOf,
  rangeClause,
  sqlText,
  type WhereLanguage,
} from '../search/where-clause.ts';
import type { ResolvedRange } from '../time-range/time-range.ts';

/** The search page's address: which events to show. */
export interface EventsAddress {
  source: string;
  where: string;
  lang: WhereLanguage;
  from: string;
  to: string;
}

/** One value that a tile shows. */
export interface ShownPart {
  /** Index of the series. */
  select: number;
  /** Values of the tile's groups. */
  group: readonly string[];
  window: ResolvedRange;
  /** Of a heatmap: the values from `low`, included, to `high`, not included. */
  values?: { low: number; high: number };
}

/** What the dashboard narrows its tiles to. */
export interface Narrowing {
  filters: readonly TileFilter[];
  condition: DashboardCondition | undefined;
  variables: readonly TileVariable[];
}

/**
 * The search for what a value is compared with: all events of its tile in the range of the dashboard. `undefined` where
 * a search can't say so, or the value is all there is.
 */
export function comparedWith(
  tile: Pick<Tile, 'config' | 'series' | 'asRatio'>,
  { select, group, values, window }: ShownPart,
  range: ResolvedRange,
  narrowing: Narrowing,
): EventsAddress | undefined {
  const isAll = group.length === 0 && !values && window.startMs <= range.startMs && window.endMs >= range.endMs;
  return isAll ? undefined : eventsOf(withoutGroups(tile), { select, group: [], window: range }, narrowing);
}

/**
 * The search whose patterns a tile of patterns shows; each leads to its events there. `undefined` for other tiles, and
 * where the patterns are those of another text than the search looks at.
 */
export function patternsOf(
  { config }: Pick<Tile, 'config'>,
  range: ResolvedRange,
  narrowing: Narrowing,
): EventsAddress | undefined {
  if (config?.displayType !== 'event_patterns' || config.select?.trim()) return undefined;
  const { sourceId, where = '', whereLanguage = 'lucene' } = config;
  const select = [{ aggFn: 'count' as const, where, whereLanguage }];
  const counted = { config: { displayType: 'number' as const, sourceId, select } };
  return eventsOf(counted, { select: 0, group: [], window: range }, narrowing);
}

function withoutGroups({ config, series, asRatio }: Pick<Tile, 'config' | 'series' | 'asRatio'>) {
  const bare = asRatio === undefined ? {} : { asRatio };
  if (config) return 'groupBy' in config ? { ...bare, config: { ...config, groupBy: '' } } : { ...bare, config };
  return { ...bare, series: (series ?? []).map((each) => ({ ...each, groupBy: [] })) };
}

type HeatmapConfig = Extract<Tile['config'], { displayType: 'heatmap' }>;

interface Query {
  sourceId: string;
  where: string;
  language: WhereLanguage;
  groupBy: readonly string[];
  /** Of a heatmap: the number that is distributed. */
  value?: string;
}

interface Text {
  where: string;
  language: WhereLanguage;
}

/**
 * The search for the events behind a value: those of its series, group and window, as the dashboard narrows them.
 * `undefined` where a search can't say so: for a formula or a ratio, and where filters are written in both languages.
 */
export function eventsOf(
  tile: Pick<Tile, 'config' | 'series' | 'asRatio'>,
  part: ShownPart,
  { filters, condition, variables }: Narrowing,
): EventsAddress | undefined {
  const query = queryOf(tile, part.select);
  if (!query || query.groupBy.length !== part.group.length) return undefined;
  const own = filters.filter(({ sourceId }) => sourceId === undefined || sourceId === query.sourceId);
  const written: Text[] = [query, ...(condition ? [condition] : []), ...own.flatMap(writtenFilter)];
  const texts = written
    .map(({ where, language }) => ({ where: substituteVariables(where, language, variables).text, language }))
    .filter(({ where }) => where.trim() !== '');
  const fields = query.groupBy.map((text) => fieldOf(substituteVariables(text, 'sql', variables).text));
  const chosen = own.flatMap(({ expression, values = [] }) =>
    expression ? [{ field: fieldOf(expression), values }] : [],
  );
  const number = query.value === undefined ? [] : [fieldOf(substituteVariables(query.value, 'sql', variables).text)];
  const needsSql = [...fields, ...number, ...chosen.map(({ field }) => field)].some(({ name }) => name === '');
  const lang = texts[0]?.language ?? (needsSql ? 'sql' : 'lucene');
  if (texts.some(({ language }) => language !== lang) || (needsSql && lang === 'lucene')) return undefined;
  const parts = [
    ...texts.map(({ where }) =>
      texts.length + fields.length + chosen.length + number.length > 1 ? `(${where.trim()})` : where.trim(),
    ),
    ...fields.map((field, index) => equals(field, part.group[index] ?? '', lang)),
    ...chosen.map(({ field, values }) => oneOf(field, values, lang)),
    ...(part.values ? number.map((field) => rangeClause(field, part.values ?? { low: 0, high: 0 }, lang)) : []),
  ];
  const where = parts.join(lang === 'sql' ? ' AND ' : ' ');
  return { source: query.sourceId, where, lang, from: String(part.window.startMs), to: String(part.window.endMs) };
}

function queryOf({ config, series, asRatio }: Pick<Tile, 'config' | 'series' | 'asRatio'>, select: number) {
  if (!config) {
    const item = series?.[select];
    if (!item?.sourceId || asRatio) return undefined;
    const { sourceId, where = '', whereLanguage = 'lucene', groupBy = [] } = item;
    return { sourceId, where, language: whereLanguage, groupBy: series?.[0]?.groupBy ?? groupBy } satisfies Query;
  }
  if (!('select' in config) || !Array.isArray(config.select) || ('asRatio' in config && config.asRatio))
    return undefined;
  const item = config.select[select];
  if (config.displayType === 'heatmap') return queryOfHeatmap(config);
  if (!item || !('aggFn' in item)) return undefined;
  const groupBy = 'groupBy' in config ? splitExpressions(config.groupBy ?? '') : [];
  const { where = '', whereLanguage = 'lucene' } = item;
  return { sourceId: config.sourceId, where, language: whereLanguage, groupBy } satisfies Query;
}

function queryOfHeatmap({ sourceId, select, where = '', whereLanguage = 'lucene' }: HeatmapConfig): Query {
  const value = select[0]?.valueExpression ?? '';
  return { sourceId, where, language: whereLanguage, groupBy: [], value };
}

function writtenFilter({ condition = '', type = 'lucene' }: TileFilter): Text[] {
  return condition.trim() === '' ? [] : [{ where: condition, language: type }];
}

function equals(field: FilterField, value: string, language: WhereLanguage): string {
  if (value === '' && language === 'lucene') return `-${field.name}:*`;
  return clauseOf({ field, value, mode: 'include' }, language);
}

/** A condition for any of the values. */
export function oneOf(field: FilterField, values: readonly string[], language: WhereLanguage): string {
  if (language === 'sql') return `toString(${field.sql}) IN (${values.map(sqlText).join(', ')})`;
  const parts = values.map((value) => equals(field, value, language));
  return parts.length === 1 ? (parts[0] ?? '') : `(${parts.join(' OR ')})`;
}
