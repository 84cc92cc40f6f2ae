import { expect, it } from 'vitest';
import { nearestName } from './nearest-name.ts';

const known = ['engine_max_threads', 'engine_max_insert_threads', 'streaming_max_insert_wait_ms'];

it.each([
  ['engine_max_thread', 'engine_max_threads'],
  ['clickhouse_max_threads', 'engine_max_threads'],
  ['engine_insert_threads', 'engine_max_insert_threads'],
  ['streaming_max_insert_wait', 'streaming_max_insert_wait_ms'],
  ['engine_max_threads', 'engine_max_threads'],
])('%s is closest to %s', (name, nearest) => {
  expect(nearestName(name, known)).toBe(nearest);
});

it('nothing is close where nothing is known', () => {
  expect(nearestName('x', [])).toBeUndefined();
});
