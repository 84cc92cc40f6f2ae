import type { DashboardFilter } from '../../../../src/contract/dashboard-filter.ts';
import type { TileFilter } from '../../../../src/contract/tile-query.ts';
import { variableNameOf } from '../../../../src/contract/variable-name.ts';
import type { TileVariable } from '../../../../src/contract/variables.ts';
import type { UrlState } from '../../url-state.ts';

/** Chosen values by id of the filter; a filter without any narrows nothing. */
export type ChosenValues = ReadonlyMap<string, readonly string[]>;

const nameOf = (filterId: string) => `filter-${filterId}` as const;

/** Filters that narrow tiles. The others are variables only. */
export function narrowing(filters: readonly DashboardFilter[]): DashboardFilter[] {
  return filters.filter(({ isBroadcastEnabled = true }) => isBroadcastEnabled);
}

/** What the address says about these filters. */
export function chosenValues(filters: readonly DashboardFilter[], url: UrlState): ChosenValues {
  const chosen = filters.map(({ id }) => [id, parseValues(url[nameOf(id)])] as const);
  return new Map(chosen.filter(([, values]) => values.length > 0));
}

/** The change of the address that chooses these values. */
export function choiceInUrl(filterId: string, values: readonly string[]): UrlState {
  return { [nameOf(filterId)]: values.length === 0 ? undefined : printValues(values) };
}

/** The change of the address when the server has given ids to new filters: what was chosen stays chosen. */
export function choicesAfterSave(
  before: readonly DashboardFilter[],
  saved: readonly DashboardFilter[],
  chosen: ChosenValues,
): UrlState {
  const moved = before.flatMap(({ id }, place) => {
    const [now, values] = [saved[place]?.id, chosen.get(id)];
    return now === undefined || now === id || !values ? [] : [choiceInUrl(id, []), choiceInUrl(now, values)];
  });
  return Object.assign({}, ...moved);
}

/**
 * The filters for `POST /charts/tiles`: each once, or once for each source that it is limited to. The API joins them
 * with AND; filters for different sources never meet in one tile.
 */
export function tileFilters(filters: readonly DashboardFilter[], chosen: ChosenValues): TileFilter[] {
  return narrowing(filters).flatMap(({ id, expression, appliesToSourceIds = [] }) => {
    const values = chosen.get(id);
    if (!values) return [];
    const filter = { expression, values: [...values] };
    return appliesToSourceIds.length === 0
      ? [filter]
      : [...new Set(appliesToSourceIds)].map((sourceId) => ({ ...filter, sourceId }));
  });
}

/** The variables for `POST /charts/tiles`; those without a value stand for any. */
export function tileVariables(filters: readonly DashboardFilter[], chosen: ChosenValues): TileVariable[] {
  return filters.flatMap((filter) => {
    const name = filter.isVariableEnabled ? variableNameOf(filter) : '';
    if (name === '') return [];
    return [{ name, values: [...(chosen.get(filter.id) ?? [])], expression: filter.expression }];
  });
}

/** `cart,checkout`: a comma and a percent sign inside a value are percent-encoded, a lone `%` is the empty value. */
export function printValues(values: readonly string[]): string {
  return values.map((value) => (value === '' ? '%' : value.replaceAll('%', '%25').replaceAll(',', '%2C'))).join(',');
}

export function parseValues(text: string | undefined): string[] {
  if (text === undefined || text === '') return [];
  const values = text
    .split(',')
    .map((value) => (value === '%' ? '' : value.replaceAll('%2C', ',').replaceAll('%25', '%')));
  return [...new Set(values)];
}
