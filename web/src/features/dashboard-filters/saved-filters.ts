import type { Dashboard } from '../../../../src/contract/dashboard.ts';
import type { TileFilter } from '../../../../src/contract/tile-query.ts';
import type { UrlState } from '../../url-state.ts';

/** What a whole dashboard is searched for. */
export interface DashboardCondition {
  where: string;
  language: 'lucene' | 'sql';
}

/** What a dashboard is narrowed to by what was saved with it. */
export interface SavedFilters {
  condition: DashboardCondition | undefined;
  filters: TileFilter[];
}

type Saved = Pick<Dashboard, 'savedQuery' | 'savedQueryLanguage' | 'savedFilterValues'>;

/** The query and the conditions that were saved with a dashboard. */
export function savedFilters({ savedQuery, savedQueryLanguage, savedFilterValues = [] }: Saved): SavedFilters {
  const where = savedQuery?.trim() ?? '';
  const conditions = savedFilterValues.map(({ condition }) => condition.trim()).filter((text) => text !== '');
  return {
    condition: where === '' ? undefined : { where, language: savedQueryLanguage ?? 'lucene' },
    filters: conditions.map((condition) => ({ type: 'sql', condition })),
  };
}

/** Whether there is anything that `savedFilters` gives. */
export function hasSaved({ condition, filters }: SavedFilters): boolean {
  return condition !== undefined || filters.length > 0;
}

const nothing: SavedFilters = { condition: undefined, filters: [] };

/** What of it applies: all, unless the address says that the dashboard is looked at without (`saved=off`). */
export function appliedFilters(saved: SavedFilters, url: UrlState): SavedFilters {
  return url.saved === 'off' ? nothing : saved;
}

/** What a link narrows the dashboard to: a condition in the address, beside what is saved. */
export function linkedFilters({ where = '', lang }: UrlState): TileFilter[] {
  return where.trim() === '' ? [] : [{ type: lang === 'sql' ? 'sql' : 'lucene', condition: where }];
}
