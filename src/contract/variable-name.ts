import type { DashboardFilterInput } from './dashboard-filter.ts';

/** The variable's name, derived from the filter's where it is not given; empty when nothing is left of it. */
export function variableNameOf({ name, variableName }: Pick<DashboardFilterInput, 'name' | 'variableName'>): string {
  if (variableName !== undefined) return variableName;
  const derived = name
    .trim()
    .replaceAll(/\s/g, '_')
    .replaceAll(/[^A-Za-z0-9_]/g, '');
  if (/^_*$/.test(derived)) return '';
  return /^[0-9_]/.test(derived) ? `v${derived}` : derived;
}
