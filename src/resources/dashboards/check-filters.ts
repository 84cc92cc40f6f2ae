import type { DashboardFilterInput } from '../../contract/dashboard-filter.ts';
import type { Problem } from '../../contract/problem.ts';
import { variableNameOf } from '../../contract/variable-name.ts';

/** Rules of dashboard filters that the schema cannot say (contract §2.4). */
export function checkFilters(filters: readonly DashboardFilterInput[]): Problem[] {
  const problems = filters.flatMap((filter, index) =>
    checkFilter(filter).map(({ path, message }) => ({ path: `filters.${index}.${path}`, message })),
  );
  return [...problems, ...checkVariableNames(filters)];
}

function checkFilter(filter: DashboardFilterInput): Problem[] {
  const { isBroadcastEnabled: broadcasts = true, isVariableEnabled: isVariable = false, variableName } = filter;
  const problems: Problem[] = [];
  if (!broadcasts && !isVariable) {
    problems.push({ path: 'isBroadcastEnabled', message: 'must be on unless isVariableEnabled is' });
  }
  if (!broadcasts && filter.appliesToSourceIds?.length) {
    problems.push({ path: 'appliesToSourceIds', message: 'needs isBroadcastEnabled' });
  }
  if (!isVariable && variableName !== undefined) {
    problems.push({ path: 'variableName', message: 'needs isVariableEnabled' });
  }
  if (isVariable && variableNameOf(filter) === '') {
    problems.push({ path: 'variableName', message: 'is required: none can be derived from the name' });
  }
  return problems;
}

function checkVariableNames(filters: readonly DashboardFilterInput[]): Problem[] {
  const seen = new Set<string>();
  return filters.flatMap((filter, index) => {
    const name = filter.isVariableEnabled ? variableNameOf(filter) : '';
    if (name === '') return [];
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    return [{ path: `filters.${index}.variableName`, message: `${name} is already the name of another variable` }];
  });
}
