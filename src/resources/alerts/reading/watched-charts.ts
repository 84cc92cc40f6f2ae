import { splitExpressions } from '../../../contract/split-expressions.ts';
import type { TileVariable } from '../../../contract/variables.ts';
import type { SourceCondition } from '../../charts/request/chart-definition.ts';
import { type SqlTile, sqlTileOf, unwatchableSql } from '../../charts/request/sql-tile.ts';
import { type ChartOfTile, tileToChart } from '../../charts/request/tile-to-chart.ts';
import { tileWithVariables } from '../../charts/request/tile-with-variables.ts';
import type { DashboardRepository } from '../../dashboards/dashboard-repository.ts';
import { unchosenVariables } from '../../dashboards/dashboard-variables.ts';
import { conditionsOf } from '../../saved-searches/conditions-of-filters.ts';
import type { SavedSearch, SavedSearchRepository } from '../../saved-searches/saved-search-repository.ts';
import type { Watched } from '../alert.ts';

export type WatchedChart =
  | { kind: 'chart'; chart: ChartOfTile & { conditions: readonly SourceCondition[] } }
  | { kind: 'sql'; tile: SqlTile; variables: readonly TileVariable[] }
  /** There is no number to evaluate, or nothing at all any more; `reason` is a sentence. */
  | { kind: 'notEvaluable'; reason: string };

export interface WatchedChartsDeps {
  dashboards: Pick<DashboardRepository, 'find'>;
  savedSearches: Pick<SavedSearchRepository, 'find'>;
}

/** Finds what an alert watches as the chart that it evaluates. */
export class WatchedCharts {
  readonly #deps: WatchedChartsDeps;

  constructor(deps: WatchedChartsDeps) {
    this.#deps = deps;
  }

  async find(tenantId: string, watched: Watched): Promise<WatchedChart> {
    const { dashboards, savedSearches } = this.#deps;
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
    const variables = unchosenVariables(stored.dashboard.filters);
    const sql = sqlTileOf(tile);
    if (sql) {
      const reason = unwatchableSql(sql);
      return reason === undefined ? { kind: 'sql', tile: sql, variables } : notEvaluable(reason);
    }
    const tileChart = tileToChart(tileWithVariables(tile, variables).tile);
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

function notEvaluable(reason: string): WatchedChart {
  return { kind: 'notEvaluable', reason };
}
