import type { AlertEvaluationRecord } from '../../../../src/contract/alert-log.ts';
import type { Tile } from '../../../../src/contract/tile.ts';
import { comparedWith, eventsOf } from '../dashboards/events-of.ts';
import { selectionUrl } from '../search/search-selection.ts';

const nothing = { filters: [], condition: undefined, variables: [] };
/** How many windows of the same length before it a window is compared with. */
const windowsBefore = 11;

/**
 * The address that compares the events of a firing window and group with the others of an hour or so. `undefined` where
 * a search can't say which events these are: for formulas, ratios and metrics.
 */
export function firingComparison(
  tile: Pick<Tile, 'config' | 'series' | 'asRatio'>,
  { windowStart, windowEnd }: Pick<AlertEvaluationRecord, 'windowStart' | 'windowEnd'>,
  group: AlertEvaluationRecord['groups'][number]['group'],
) {
  const window = { startMs: Date.parse(windowStart), endMs: Date.parse(windowEnd) };
  const lengthMs = window.endMs - window.startMs;
  const range = { startMs: window.startMs - windowsBefore * lengthMs, endMs: window.endMs };
  const part = { select: evaluatedIndex(tile), group: group.map(({ value }) => value), window };
  const address = eventsOf(tile, part, nothing);
  const all = comparedWith(tile, part, range, nothing);
  if (!address || !all) return undefined;
  const { where, lang: language } = address;
  return { ...all, ...selectionUrl({ where, language, range: window }), view: 'differences' };
}

/** The last series; a number shows its first. */
function evaluatedIndex({ config, series }: Pick<Tile, 'config' | 'series'>): number {
  if (!config) return series?.[0]?.type === 'number' ? 0 : (series?.length ?? 1) - 1;
  if (config.displayType === 'number') return 0;
  return 'select' in config && Array.isArray(config.select) ? config.select.length - 1 : 0;
}
