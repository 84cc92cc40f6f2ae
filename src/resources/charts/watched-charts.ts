import type { SavedSearchFilter } from '../../contract/saved-search.ts';
import { splitExpressions } from '../../contract/split-expressions.ts';
import type { Watched } from '../alerts/alert.ts';
import type { DashboardRepository } from '../dashboards/dashboard-repository.ts';
import type { SavedSearch, SavedSearchRepository } from '../saved-searches/saved-search-repository.ts';
import type { SourceCondition } from './chart-definition.ts';
import { type ChartOfTile, tileToChart } from './tile-to-chart-query.ts';

export type WatchedChart =
  | { kind: 'chart'; chart: ChartOfTile & { conditions: readonly SourceCondition[] } }
  /** There is no number to judge, or nothing at all any more; `reason` is a sentence. */
  | { kind: 'notEvaluable'; reason: string };

export interface WatchedChartsParts {
  dashboards: Pick<DashboardRepository, 'find'>;
  savedSearches: Pick<SavedSearchRepository, 'find'>;
}

/** Finds what an alert watches as the chart that it judges. */
export class WatchedCharts {
  readonly #parts: WatchedChartsParts;

  constructor(parts: WatchedChartsParts) {
    this.#parts = parts;
  }

  async find(tenantId: string, watched: Watched): Promise<WatchedChart> {
    const { dashboards, savedSearches } = this.#parts;
    if (watched.kind === 'savedSearch') {
      const search = await savedSearches.find(tenantId, watched.savedSearchId);
      return search
        ? countOf(search, watched.groupBy ?? '')
        : notEvaluable('The saved search of this alert does not exist.');
    }
    const stored = await dashboards.find(tenantId, watched.dashboardId);
    if (!stored) return notEvaluable('The dashboard of this alert does not exist.');
    const tile = stored.dashboard.tiles.find(({ id }) => id === watched.tileId);
    if (!tile) return notEvaluable('The tile of this alert does not exist.');
    const tileChart = tileToChart(tile);
    return tileChart.kind === 'chart' ? { kind: 'chart', chart: { ...tileChart.chart, conditions: [] } } : tileChart;
  }
}

/** How many events the search finds, its own filters included (contract §3.4). */
function countOf({ sourceId, where, whereLanguage, filters }: SavedSearch, groupBy: string): WatchedChart {
  const chart = {
    series: [{ sourceId, aggregate: 'count' as const, where, whereLanguage }],
    groupBy: splitExpressions(groupBy),
    conditions: conditionsOf(filters),
    asRatio: false,
    formulas: [],
  };
  return { kind: 'chart', chart };
}

/** The filters of a saved search, which narrow it down further. */
export function conditionsOf(filters: readonly SavedSearchFilter[]): SourceCondition[] {
  return filters.map(toCondition);
}

function toCondition(filter: SavedSearchFilter, index: number): SourceCondition {
  const path = `filters.${index}.condition`;
  if ('condition' in filter) return { where: filter.condition, whereLanguage: filter.type ?? 'sql', path };
  const { left, operator, right } = filter;
  return { where: `${left} ${operator} ${right}`, whereLanguage: 'sql', path };
}

function notEvaluable(reason: string): WatchedChart {
  return { kind: 'notEvaluable', reason };
}
