import { isQuerySetting, isQuerySettingValue } from '../../contract/query-settings.ts';
import type { Source } from './source.ts';

/** Settings for each query of the source; those that are not allowed are dropped, even if stored. */
export function settingsOfSource({ querySettings }: Source): { settings?: Record<string, number> } {
  const allowed = querySettings.filter((each) => isQuerySetting(each) && isQuerySettingValue(each.value));
  if (allowed.length === 0) return {};
  return { settings: Object.fromEntries(allowed.map(({ setting, value }) => [setting, Number(value)])) };
}
