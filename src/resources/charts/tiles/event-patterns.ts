import type { EventPattern, PatternsMeta } from '../../../contract/patterns.ts';
import type { TileInput } from '../../../contract/tile.ts';
import { isSqlConfig } from '../../../contract/tile-config.ts';
import type { TileAnswer } from '../../../contract/tile-query.ts';
import type { TimeRange, WhereLanguage } from '../../../query/chart-query.ts';
import type { SourceCondition } from '../request/chart-definition.ts';

/** What the events of a source say, in patterns of their texts. */
export interface PatternsOf {
  sourceId: string;
  range: TimeRange;
  /** What holds the text; blank = the body of logs, the name of spans. */
  field: string;
  where: string;
  whereLanguage: WhereLanguage;
  conditions: readonly SourceCondition[];
  /** Paths of the texts in the request, for errors. */
  paths: { field: string; where: string };
  /** About how many events are read. */
  sample: number;
  limit: number;
}

export interface PatternsFound {
  patterns: EventPattern[];
  meta: PatternsMeta & { bytesRead: number };
}

/** Port: finds patterns. Throws `AppError` as `POST /search/patterns` does. */
export interface EventPatterns {
  find(tenantId: string, request: PatternsOf, signal: AbortSignal): Promise<PatternsFound>;
}

/** What a tile of event patterns asks for; `undefined` for any other tile. */
export function patternsOfTile({
  config,
}: TileInput): Omit<PatternsOf, 'range' | 'conditions' | 'sample' | 'limit'> | undefined {
  if (!config || isSqlConfig(config) || config.displayType !== 'event_patterns') return undefined;
  const { sourceId, select: field = '', where = '', whereLanguage = 'lucene' } = config;
  return { sourceId, field, where, whereLanguage, paths: { field: 'config.select', where: 'config.where' } };
}

/** A table of patterns; of which events is a warning if not of all. */
export function presentPatterns({ patterns, meta }: PatternsFound): Omit<TileAnswer, 'ref'> {
  const { events, read, rowsRead, bytesRead, elapsedMs } = meta;
  const message = `These are the patterns of ${written(read)} of ${written(events)} events, from parts of the range that are evenly spread.`;
  return {
    displayType: 'event_patterns',
    columns: [
      { name: 'Pattern', kind: 'group' },
      { name: 'Events', kind: 'value' },
      { name: 'Share', kind: 'value', numberFormat: { output: 'percent', mantissa: 1 } },
      { name: 'Example', kind: 'group' },
    ],
    rows: patterns.map(({ pattern, count, share, example }) => [pattern, count, share, example]),
    meta: {
      ...{ rowsRead, bytesRead, elapsedMs, cache: 'off', exact: read === events },
      truncated: meta.patterns > patterns.length,
      ...(read < events && { warnings: [{ path: 'config', message }] }),
    },
  };
}

function written(count: number): string {
  return count.toLocaleString('en-US');
}
