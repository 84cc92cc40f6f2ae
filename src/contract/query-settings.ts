/**
 * Settings of the database that a source may ask for with each of its queries (`querySettings`): how its tables are to
 * be read, never what else may be read or how much. All are whole numbers.
 */
export const querySettingNames = [
  'final',
  'max_threads',
  'max_block_size',
  'max_bytes_before_external_group_by',
  'max_bytes_before_external_sort',
  'enable_parallel_replicas',
  'max_parallel_replicas',
  'optimize_aggregation_in_order',
  'optimize_move_to_prewhere',
  'optimize_read_in_order',
  'optimize_skip_unused_shards',
  'optimize_use_projections',
  'prefer_localhost_replica',
  'query_plan_optimize_lazy_materialization',
  'use_skip_indexes',
  'use_skip_indexes_if_final',
  'use_uncompressed_cache',
] as const;

const value = /^\d{1,15}$/;

export function isQuerySetting({ setting }: { setting: string }): boolean {
  return querySettingNames.some((name) => name === setting);
}

export function isQuerySettingValue(text: string): boolean {
  return value.test(text);
}
