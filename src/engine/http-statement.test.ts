import { describe, expect, it } from 'vitest';
import { isFreeze, rejectInlineData, splitInsert } from './http-statement.ts';

describe('splitInsert', () => {
  it.each([
    ['INSERT INTO a.b FORMAT Native', { target: 'INSERT INTO a.b', format: 'Native' }],
    [
      'insert into `a`.`b` (x, y)\nformat JSONEachRow ;',
      { target: 'insert into `a`.`b` (x, y)', format: 'JSONEachRow' },
    ],
    ['INSERT INTO a.b SELECT 1', undefined],
    [`INSERT INTO a.b FROM INFILE '/etc/passwd' FORMAT CSV`, undefined],
    ['SELECT 1 FORMAT Native', undefined],
  ])('%j', (query, expected) => {
    expect(splitInsert(query)).toEqual(expected);
  });
});

describe('rejectInlineData', () => {
  it.each(['INSERT INTO t FORMAT CSV 1', 'INSERT INTO t FORMAT CSV\n1', 'INSERT INTO t FORMAT JSONEachRow{}'])(
    'rejects %j',
    (sql) => {
      expect(() => rejectInlineData(sql)).toThrow(/body of the request/);
    },
  );

  it.each([
    'SELECT 1 FORMAT CSV',
    `INSERT INTO t VALUES ('in format CSV please')`,
    String.raw`INSERT INTO t VALUES ('it\'s in format CSV 1')`,
    'INSERT INTO t FORMAT Native',
    `INSERT INTO t FROM INFILE '/dev/shm/x' FORMAT Native`,
  ])('lets %j through', (sql) => {
    expect(() => rejectInlineData(sql)).not.toThrow();
  });
});

describe('isFreeze', () => {
  it.each([
    ["ALTER TABLE `otel`.`otel_logs` FREEZE WITH NAME 'signalbox_backup_7'", true],
    ["ALTER TABLE `otel`.`otel_logs` FREEZE WITH NAME '../../outside'", false],
    ["ALTER TABLE `otel`.`otel_logs` FREEZE WITH NAME 'a', FREEZE WITH NAME 'b'", false],
    ["BACKUP TABLE `otel`.`otel_logs` TO File('/tmp/a')", false],
    ['SYSTEM STOP MERGES', false],
  ])('%s: %s', (sql, expected) => {
    expect(isFreeze(sql)).toBe(expected);
  });
});
