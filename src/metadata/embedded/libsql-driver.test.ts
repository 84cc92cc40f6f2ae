import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectLibsql, type EmbeddedConnection } from './libsql-driver.ts';

describe('the embedded SQL library behind its one file', () => {
  let folder: string;
  let connection: EmbeddedConnection;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'signalbox-libsql-'));
    connection = connectLibsql(join(folder, 'store.db'));
    connection.execute('create table notes (id text primary key, count integer)');
  });
  afterEach(() => {
    connection.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const count = (): unknown => connection.prepare('select count(*) as notes from notes').all([]);

  it('returns rows without extra properties', () => {
    connection.prepare('insert into notes values (?, ?)').run(['a', 1]);
    const [row] = connection.prepare('select * from notes').all([]);
    expect(Object.keys(row ?? {})).toEqual(['id', 'count']);
  });

  it('says how many rows a statement changed', () => {
    expect(connection.prepare('insert into notes values (?, ?)').run(['a', 1]).changes).toBe(1);
    expect(connection.prepare('delete from notes where id = ?').run(['none']).changes).toBe(0);
  });

  it('runs a kept statement again after it failed and after the table changed', () => {
    const insert = () => connection.prepare('insert into notes (id, count) values (?, ?)').run(['a', 1]);
    const readAll = () => connection.prepare('select * from notes').all([]);
    insert();
    expect(insert).toThrow(/UNIQUE/);
    expect(readAll()).toEqual([{ id: 'a', count: 1 }]);
    connection.execute("alter table notes add column title text default 'none'");
    expect(readAll()).toEqual([{ id: 'a', count: 1, title: 'none' }]);
    connection.execute('delete from notes');
    expect(insert().changes).toBe(1);
  });

  it('runs more different statements than it keeps', () => {
    connection.execute('begin');
    for (let n = 0; n < 700; n++) connection.prepare(`insert into notes values ('n${n}', ${n})`).run([]);
    connection.execute('commit');
    expect(count()).toEqual([{ notes: 700 }]);
  });

  it('refuses values that the library would not keep, in every way of running a statement', () => {
    for (const value of [true, 'a\0b', Number.NaN, undefined, {}]) {
      expect(() => connection.prepare('insert into notes values (?, 1)').run([value])).toThrow(TypeError);
      expect(() => connection.prepare('select ? as value').all([value])).toThrow(TypeError);
      expect(() => connection.prepare('select ? as value').iterate([value])).toThrow(TypeError);
    }
    expect(count()).toEqual([{ notes: 0 }]);
  });

  it('knows whether a transaction is open', () => {
    expect(connection.inTransaction).toBe(false);
    connection.execute('begin immediate');
    expect(connection.inTransaction).toBe(true);
    connection.execute('rollback');
    expect(connection.inTransaction).toBe(false);
  });
});
