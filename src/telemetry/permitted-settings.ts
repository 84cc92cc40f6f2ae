type Settings = Readonly<Record<string, string | number>>;

/** What a server says of one setting for one of its users. */
export interface SettingRule {
  /** In force when nothing is sent. */
  value: string;
  min: string | null;
  max: string | null;
  /** The user may not change it. */
  isFixed: boolean;
}

/** Limits and hints: without them a statement gives the same answer. The server's own limits hold instead. */
const dispensable: ReadonlySet<string> = new Set([
  'max_execution_time',
  'max_memory_usage',
  'max_result_rows',
  'max_result_bytes',
  'max_rows_to_read',
  'result_overflow_mode',
  'timeout_overflow_mode',
  'cancel_http_readonly_queries_on_client_close',
  'use_query_condition_cache',
  'optimize_aggregation_in_order',
  'optimize_use_projections',
  'max_threads',
  'max_expanded_ast_elements',
]);

/** By name; a setting without a rule may be changed. */
export type SettingRules = ReadonlyMap<string, SettingRule>;

/** What restricts the user who asks, for `rulesOf`. A time zone that is not set is the server's. */
export const restrictionsStatement = `SELECT name,
    if(name = 'session_timezone' AND value = '', timezone(), value) AS value, min, max, readonly
  FROM system.settings WHERE readonly OR isNotNull(min) OR isNotNull(max)`;

export function rulesOf(columns: readonly (readonly unknown[])[]): SettingRules {
  const [names = [], values = [], minima = [], maxima = [], fixed = []] = columns;
  const bound = (value: unknown) => (value === null || value === undefined ? null : String(value));
  return new Map(
    names.map((name, at) => [
      String(name),
      { value: String(values[at]), min: bound(minima[at]), max: bound(maxima[at]), isFixed: Number(fixed[at]) === 1 },
    ]),
  );
}

/**
 * The settings of a statement as far as a restricted user may send them: values beyond a bound become the bound, and
 * what has its value already is left out. `undefined` if a setting that the answer depends on cannot be had.
 */
export function permittedSettings(wanted: Settings, rules: SettingRules): Settings | undefined {
  const permitted: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(wanted)) {
    const rule = rules.get(name);
    const sent = rule ? permittedValue(value, rule) : value;
    if (sent !== undefined) permitted[name] = sent;
    else if (!dispensable.has(name) && !(rule && hasValue(name, value, rule))) return undefined;
  }
  return permitted;
}

/** `undefined`: nothing is sent. */
function permittedValue(value: string | number, rule: SettingRule): string | number | undefined {
  if (rule.isFixed) return undefined;
  if (typeof value !== 'number') return value;
  const { min, max } = rule;
  const atLeast = min === null ? value : Math.max(value, Number(min));
  return max === null ? atLeast : Math.min(atLeast, Number(max));
}

function hasValue(name: string, wanted: string | number, { value }: SettingRule): boolean {
  // 2 forbids writing, too; it only allows settings to be changed.
  if (name === 'readonly') return value === '1' || value === '2';
  return value === String(wanted) || (name === 'session_timezone' && /^(Etc\/)?(UTC|GMT|Universal|Zulu)$/.test(value));
}
