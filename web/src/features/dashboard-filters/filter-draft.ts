import type { DashboardFilter } from '../../../../src/contract/dashboard-filter.ts';
import { variableNameOf } from '../../../../src/contract/variable-name.ts';

/** A new filter with nothing in it yet. The id is ours until the dashboard is saved. */
export function newFilter(id: string, sourceId: string): DashboardFilter {
  return { id, type: 'QUERY_EXPRESSION', name: '', expression: '', sourceId };
}

/**
 * The filter with what the form says; what the form does not show stays. What is blank is left out, and what belongs to
 * another source goes: the metric kind of a source that is no longer asked.
 */
export function changedFilter(filter: DashboardFilter, patch: Partial<DashboardFilter>): DashboardFilter {
  const { where, whereLanguage, appliesToSourceIds, sourceMetricType, variableName, ...rest } = { ...filter, ...patch };
  return {
    ...rest,
    ...(sourceMetricType && rest.sourceId === filter.sourceId ? { sourceMetricType } : {}),
    ...(where?.trim() ? { where } : {}),
    ...(whereLanguage ? { whereLanguage } : {}),
    ...(appliesToSourceIds && appliesToSourceIds.length > 0 && (rest.isBroadcastEnabled ?? true)
      ? { appliesToSourceIds }
      : {}),
    ...(variableName && rest.isVariableEnabled ? { variableName } : {}),
  };
}

/** Why this filter can't be stored; `undefined` when it can. */
export function problemOf({
  name,
  expression,
  sourceId,
  isVariableEnabled,
  variableName,
}: DashboardFilter): string | undefined {
  if (name.trim() === '') return 'A filter needs a name.';
  if (sourceId === '') return 'A filter needs a source for its values.';
  if (expression.trim() === '') return `“${name}” needs a field or an expression.`;
  if (isVariableEnabled && !/^[A-Za-z]\w*$/.test(variableNameOf({ name, ...(variableName && { variableName }) }))) {
    return `“${name}” needs a name for its variable that consists of letters, digits and underscores.`;
  }
  return undefined;
}
