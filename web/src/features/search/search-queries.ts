import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Facet, SourceField } from '../../../../src/contract/completion.ts';
import type { AttributeDelta, DeltasMeta } from '../../../../src/contract/deltas.ts';
import type { EventPattern, PatternsMeta } from '../../../../src/contract/patterns.ts';
import type { SearchRequest } from '../../../../src/contract/search.ts';
import type { TileAnswer } from '../../../../src/contract/tile-query.ts';
import { callApi, fetchData } from '../../api/client.ts';
import { usePageZone } from '../../ui/zone-choice.ts';
import type { ResolvedRange } from '../time-range/time-range.ts';
import { fieldsQuery } from '../where-editor/source-queries.ts';
import {
  type EventRow,
  type EventSource,
  levelExpression,
  readRow,
  selectOfRows,
  withoutRowColumns,
} from './event-columns.ts';
import { findByKey, instantOfKey } from './event-key.ts';
import { instantNs } from './event-text.ts';
import { cellsOf, fieldsOf, type ListColumn, type ListView, selectOfList } from './list-columns.ts';
import type { Comparison } from './search-selection.ts';
import { type FilterField, sqlText, type WhereLanguage } from './where-clause.ts';

/** One search over one range: what list, histogram and facets have in common. */
export interface EventSearch {
  source: EventSource;
  where: string;
  language: WhereLanguage;
  range: ResolvedRange;
}

export const pageRows = 200;
/** Furthest page that the API gives. */
const offsetMax = 10_000;

export function searchBody({ source, where, language, range }: EventSearch): SearchRequest {
  return {
    sourceId: source.id,
    startTime: new Date(range.startMs).toISOString(),
    endTime: new Date(range.endMs).toISOString(),
    where,
    whereLanguage: language,
    select: selectOfRows(source),
    maxResults: pageRows,
  };
}

/** As `searchBody`, with the columns and the order of a view. */
export function listBody(search: EventSearch, { columns, orderBy }: Pick<ListView, 'columns' | 'orderBy'>) {
  const select = selectOfList(search.source, columns);
  return { ...searchBody(search), select, ...(orderBy === '' ? {} : { orderBy }) };
}

/** A line of the list with what its columns hold beyond an `EventRow`. */
export interface ListRow extends EventRow {
  /** By the expression of the column. */
  cells: Readonly<Record<string, unknown>>;
}

export function readListRow(
  answer: Record<string, unknown>,
  source: EventSource,
  columns: readonly ListColumn[],
): ListRow {
  return { ...readRow(answer, source), cells: cellsOf(answer, columns) };
}

const keyOf = ({ source, where, language, range }: EventSearch) =>
  [source.id, where, language, range.startMs, range.endMs] as const;

/** While the range moves on, what was there stays on the screen; another source starts empty. */
function keepOfSource(sourceId: string) {
  return <T>(before: T | undefined, query: { queryKey: readonly unknown[] } | undefined) =>
    query?.queryKey[1] === sourceId ? before : undefined;
}

type Rows = Record<string, unknown>[];

/** The list, page by page in the order of the view. */
export function useEvents(search: EventSearch, view: ListView) {
  const { columns, orderBy } = view;
  return useInfiniteQuery({
    queryKey: ['events', ...keyOf(search), fieldsOf(columns), orderBy],
    initialPageParam: 0,
    queryFn: async ({ pageParam, signal }) => {
      const body = { ...listBody(search, view), offset: pageParam };
      const rows = await fetchData<Rows>('search', { method: 'POST', body, signal });
      return rows.map((row) => readListRow(row, search.source, columns));
    },
    getNextPageParam: (last, _, offset) =>
      last.length < pageRows || offset + pageRows > offsetMax ? undefined : offset + pageRows,
    placeholderData: keepOfSource(search.source.id),
    staleTime: 30_000,
  });
}

/** How many events a search finds in all, as the histogram counts them. */
export function totalOf(histogram: TileAnswer | undefined): number | undefined {
  if (!histogram?.series) return undefined;
  return histogram.series.reduce(
    (sum, { points }) => sum + points.reduce((count, point) => count + (point[1] ?? 0), 0),
    0,
  );
}

/** Events over time, by severity or status. */
export function useHistogram(search: EventSearch) {
  const timezone = usePageZone();
  const { source, where, language, range } = search;
  return useQuery({
    queryKey: ['histogram', timezone, ...keyOf(search)],
    queryFn: async ({ signal }) => {
      const level = levelExpression(source);
      const config = {
        displayType: 'stacked_bar',
        sourceId: source.id,
        select: [{ aggFn: 'count' }],
        ...(level ? { groupBy: level } : {}),
      };
      const body = {
        startTime: range.startMs,
        endTime: range.endMs,
        timezone,
        where,
        whereLanguage: language,
        tiles: [{ ref: 'histogram', tile: { name: 'Events', x: 0, y: 0, w: 24, h: 4, config } }],
      };
      const [tile] = await fetchData<TileAnswer[]>('charts/tiles', { method: 'POST', body, signal });
      if (!tile || tile.error) throw new Error(tile?.error?.message ?? 'No histogram is available.');
      return tile;
    },
    placeholderData: keepOfSource(source.id),
    staleTime: 30_000,
  });
}

/** How long the spans took, over time. */
export function useDurations(search: EventSearch, enabled: boolean) {
  const { source, where, language, range } = search;
  return useQuery({
    queryKey: ['durations', ...keyOf(search)],
    enabled: enabled && source.kind === 'trace',
    queryFn: async ({ signal }) => {
      const value = source.kind === 'trace' ? source.durationExpression : '';
      const config = { displayType: 'heatmap', sourceId: source.id, select: [{ valueExpression: value }] };
      const body = {
        ...{ startTime: range.startMs, endTime: range.endMs, where, whereLanguage: language },
        tiles: [{ ref: 'durations', tile: { config } }],
      };
      const [tile] = await fetchData<TileAnswer[]>('charts/tiles', { method: 'POST', body, signal });
      if (!tile || tile.error) throw new Error(tile?.error?.message ?? 'No heatmap is available.');
      return tile;
    },
    placeholderData: keepOfSource(source.id),
    staleTime: 30_000,
  });
}

/** What the events of a search say, in patterns. */
export function usePatterns(search: EventSearch) {
  const { source, where, language, range } = search;
  return useQuery({
    queryKey: ['patterns', ...keyOf(search)],
    queryFn: async ({ signal }) => {
      const body = {
        ...{ sourceId: source.id, startTime: range.startMs, endTime: range.endMs },
        ...{ where, whereLanguage: language },
      };
      const { data, meta } = await callApi<EventPattern[]>('search/patterns', { method: 'POST', body, signal });
      // The operation always answers with it.
      return { patterns: data, meta: meta as PatternsMeta };
    },
    placeholderData: keepOfSource(source.id),
    staleTime: 30_000,
  });
}

/** What is different about a selection of events. */
export function useDeltas({ all, selection }: Comparison) {
  const { source, where, language, range } = all;
  return useQuery({
    queryKey: ['deltas', ...keyOf(all), selection],
    queryFn: async ({ signal }) => {
      const body = {
        ...{ sourceId: source.id, startTime: range.startMs, endTime: range.endMs, where, whereLanguage: language },
        selection: {
          ...{ startTime: selection.range.startMs, endTime: selection.range.endMs },
          ...{ where: selection.where, whereLanguage: selection.language },
        },
      };
      const { data, meta } = await callApi<AttributeDelta[]>('search/deltas', { method: 'POST', body, signal });
      // The operation always answers with it.
      return { deltas: data, meta: meta as DeltasMeta };
    },
    placeholderData: keepOfSource(source.id),
    staleTime: 30_000,
  });
}

/** How often which value occurs in what was found. */
export function useFacets(search: EventSearch, fields: readonly FilterField[]) {
  const { source, where, language, range } = search;
  const names = fields.map(({ sql }) => sql);
  return useQuery({
    queryKey: ['facets', ...keyOf(search), names],
    queryFn: async ({ signal }) => {
      const body = {
        sourceId: source.id,
        startTime: range.startMs,
        endTime: range.endMs,
        where,
        whereLanguage: language,
        fields: names,
      };
      const { data, meta } = await callApi<Facet[]>('search/facets', { method: 'POST', body, signal });
      return { facets: data, sampled: meta?.sampled === true };
    },
    enabled: names.length > 0,
    placeholderData: keepOfSource(source.id),
    staleTime: 30_000,
  });
}

const columnsMax = 80;
const sameInstantMax = 1000;

/** Everything that is known of one event: it is found again by its instant, its text and its span. */
export function useEventDetail(source: EventSource, row: EventRow | undefined) {
  const fields = useQuery(fieldsQuery(source.id));
  return useQuery({
    queryKey: ['event', source.id, row && [row.time, row.service, row.spanId, row.text]],
    enabled: fields.data !== undefined && row !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      if (!row) throw new Error('no event is chosen');
      const columns = (fields.data ?? []).filter(isColumn).slice(0, columnsMax);
      const body = {
        ...atInstant(source, row.time),
        where: conditionsOf(row, source).join(' AND '),
        select: [selectOfRows(source), ...columns.map(({ sql }) => sql)].join(', '),
      };
      const found = await fetchData<Rows>('search', { method: 'POST', body, signal });
      const event = found.find((each) => isSame(readRow(each, source), row));
      if (!event) throw new Error(goneText);
      return withoutRowColumns(event);
    },
  });
}

/** The event that a link names, wherever the list is; `undefined` key = none is wanted. */
export function useEventByKey(source: EventSource, key: string | undefined) {
  return useQuery({
    queryKey: ['event-by-key', source.id, key],
    enabled: key !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: async ({ signal }): Promise<EventRow> => {
      const time = instantOfKey(key ?? '');
      if (time === undefined || instantNs(time) === undefined) throw new Error('The link to this event is incomplete.');
      const found = await fetchData<Rows>('search', { method: 'POST', body: atInstant(source, time), signal });
      const event = findByKey(
        found.map((each) => readRow(each, source)),
        key ?? '',
      );
      if (!event) throw new Error(goneText);
      return event;
    },
  });
}

const goneText = 'This event no longer exists; its retention may have ended.';

/** All events of a millisecond. */
function atInstant(source: EventSource, time: string): SearchRequest {
  const ms = Number((instantNs(time) ?? 0n) / 1_000_000n);
  const range = { startMs: ms, endMs: ms + 1 };
  return { ...searchBody({ source, where: '', language: 'sql', range }), maxResults: sameInstantMax };
}

function conditionsOf(
  { service, spanId }: EventRow,
  { serviceNameExpression, spanIdExpression }: EventSource,
): string[] {
  const tests: [string | undefined, string][] = [
    [serviceNameExpression, service],
    [spanIdExpression, spanId],
  ];
  return tests.flatMap(([expression, value]) => (expression && value ? [`${expression} = ${sqlText(value)}`] : []));
}

const isColumn = ({ kind }: SourceField): boolean => kind === 'column';

function isSame(a: EventRow, b: EventRow): boolean {
  return a.time === b.time && a.text === b.text && a.spanId === b.spanId && a.service === b.service;
}
