import type { DashboardFilterInput } from '../../contract/dashboard-filter.ts';
import { variableNameOf } from '../../contract/variable-name.ts';
import type { TileVariable } from '../../contract/variables.ts';

/** The variables of a dashboard where no value is chosen: for alerts, which watch everything (contract §2.4). */
export function unchosenVariables(filters: readonly DashboardFilterInput[] = []): TileVariable[] {
  return filters
    .filter(({ isVariableEnabled }) => isVariableEnabled === true)
    .map((filter) => ({ name: variableNameOf(filter), values: [], expression: filter.expression }));
}
