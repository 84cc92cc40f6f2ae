import { describe, expect, it } from 'vitest';
import { isFreeze, rejectInlineData, splitInsert, splitShapedInsert } from './http-statement.ts';

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

describe('splitShapedInsert', () => {
  it.each([
    [
      "INSERT INTO `a`.`b` (`x`) SELECT `s` FROM input('`s` Enum8(\\'it\\\\\\'s\\' = 1)') FORMAT JSONEachRow",
      "INSERT INTO `a`.`b` (`x`) SELECT `s` FROM file('/tmp/f', 'JSONEachRow', '`s` Enum8(\\'it\\\\\\'s\\' = 1)')",
    ],
    [
      "INSERT INTO FUNCTION null('`s` Int8') SELECT `s` FROM input('`s` Int8') FORMAT CSV",
      "INSERT INTO FUNCTION null('`s` Int8') SELECT `s` FROM file('/tmp/f', 'CSV', '`s` Int8')",
    ],
  ])('%j reads from the file', (query, expected) => {
    expect(splitShapedInsert(query)?.('/tmp/f')).toBe(expected);
  });

  it.each([
    'INSERT INTO a.b FORMAT Native',
    "INSERT INTO FUNCTION url('http://a') SELECT s FROM input('s Int8') FORMAT CSV",
    "INSERT INTO a.b SELECT s FROM input('s Int8'), file('/etc/passwd', 'LineAsString', 'l String') FORMAT CSV",
    "INSERT INTO a.b SELECT 'x' FROM input('s Int8') FORMAT CSV",
    "INSERT INTO a.b SELECT s FROM input('s Int8') FORMAT CSV 1",
    "SELECT s FROM input('s Int8') FORMAT CSV",
  ])('leaves %j alone', (query) => {
    expect(splitShapedInsert(query)).toBeUndefined();
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
