import { describe, expect, it } from 'vitest';
import { rejectInlineData, splitInsert } from './http-statement.ts';

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
