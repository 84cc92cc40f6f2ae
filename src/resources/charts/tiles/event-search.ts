import type { TileInput } from '../../../contract/tile.ts';
import { isSqlConfig } from '../../../contract/tile-config.ts';
import type { TimeRange, WhereLanguage } from '../../../query/chart-query.ts';
import type { SourceCondition } from '../request/chart-definition.ts';

/** The first events of a source, newest first, as a search tile shows them. */
export interface EventsRequest {
  sourceId: string;
  range: TimeRange;
  /** Columns, separated by commas; blank = those of the source. */
  select: string;
  where: string;
  whereLanguage: WhereLanguage;
  conditions: readonly SourceCondition[];
  limit: number;
}

export interface EventsFound {
  columns: string[];
  /** Of the columns, as ClickHouse names them. */
  types: string[];
  rows: unknown[][];
  rowsRead: number;
  bytesRead: number;
  elapsedMs: number;
}

/** Port: finds events. Throws `AppError` as `POST /search` does. */
export interface EventSearch {
  firstEvents(tenantId: string, request: EventsRequest, signal: AbortSignal): Promise<EventsFound>;
}

/** What a search tile asks for; `undefined` for any other tile. */
export function eventsOfTile(
  tile: TileInput,
): Pick<EventsRequest, 'sourceId' | 'select' | 'where' | 'whereLanguage'> | undefined {
  const { config, series } = tile;
  if (config) {
    if (isSqlConfig(config) || config.displayType !== 'search') return undefined;
    const { sourceId, select, where = '', whereLanguage = 'lucene' } = config;
    return { sourceId, select, where, whereLanguage };
  }
  const first = series?.[0];
  if (first?.type !== 'search' || first.sourceId === undefined) return undefined;
  const { sourceId, fields = [], where = '', whereLanguage = 'lucene' } = first;
  return { sourceId, select: fields.join(', '), where, whereLanguage };
}
