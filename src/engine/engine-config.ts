import type { EngineChildOptions } from './engine-messages.ts';

/** Small enough for a laptop; the operating system's page cache does the rest. */
const markCacheBytes = 128 * 1024 * 1024;

/**
 * The server configuration of the embedded engine. Profiles, users and ports in such a file are ignored by it, so only
 * server-wide limits and defaults of MergeTree tables are set here.
 */
export function renderEngineConfig(options: EngineChildOptions): string {
  const fsync = options.fsync ? 1 : 0;
  return `<clickhouse>
  <timezone>UTC</timezone>
  <max_server_memory_usage>${options.memoryBytesMax}</max_server_memory_usage>
  <mark_cache_size>${markCacheBytes}</mark_cache_size>
  <background_pool_size>4</background_pool_size>
  <merge_tree>
    <number_of_free_entries_in_pool_to_execute_mutation>2</number_of_free_entries_in_pool_to_execute_mutation>
    <number_of_free_entries_in_pool_to_lower_max_size_of_merge>2</number_of_free_entries_in_pool_to_lower_max_size_of_merge>
    <number_of_free_entries_in_pool_to_execute_optimize_entire_partition>2</number_of_free_entries_in_pool_to_execute_optimize_entire_partition>
    <fsync_after_insert>${fsync}</fsync_after_insert>
    <fsync_part_directory>${fsync}</fsync_part_directory>
  </merge_tree>
</clickhouse>
`;
}
