import { expect, it } from 'vitest';
import { committedRecords } from './deduplication-repair.ts';

const log = (...records: string[]) => records.map((record) => `${record.replaceAll(' ', '\t')}\n`).join('');

it('keeps the token of a part that is there, or was merged into one that is', () => {
  const records = log('1 20260101_1_1_0 a', '1 20260101_2_2_0 b', '1 all_7_7_0 c');
  expect(committedRecords(records, ['20260101_1_2_1', 'all_7_7_0', 'detached', 'format_version.txt'])).toBe(records);
});

it('keeps it over a mutation', () => {
  const records = log('1 20260101_1_1_0 a');
  expect(committedRecords(records, ['20260101_1_1_0_9'])).toBe(records);
});

it('forgets the token of a part that never became visible', () => {
  const records = log('1 20260101_1_1_0 a', '1 20260101_2_2_0 b', '1 20260102_1_1_0 c');
  const parts = ['20260101_1_1_0', 'tmp_insert_20260101_2_2_0'];
  expect(committedRecords(records, parts)).toBe(log('1 20260101_1_1_0 a'));
});

it('leaves what it does not understand, and removals, as they are', () => {
  const records = log('2 20260101_1_1_0 a', 'torn');
  expect(committedRecords(records, [])).toBe(records);
});
