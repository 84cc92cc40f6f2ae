import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, SqliteDialect, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MetadataTables } from '../tables.ts';
import { GroupCommit } from './group-commit.ts';
import { connectLibsql, type EmbeddedConnection } from './libsql-driver.ts';

let folder: string;
let reader: EmbeddedConnection;
let writes: Kysely<MetadataTables>;
let group: GroupCommit;
let commits: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-group-'));
  const file = join(folder, 'store.db');
  const connection = connectLibsql(file);
  connection.execute('pragma journal_mode = wal');
  connection.execute('create table notes (text text primary key)');
  reader = connectLibsql(file);
  commits = 0;
  writes = new Kysely<MetadataTables>({
    dialect: new SqliteDialect({ database: connection }),
    log: ({ query }) => {
      if (query.sql === 'commit') commits++;
    },
  });
  group = new GroupCommit(writes);
});

afterEach(async () => {
  reader.close();
  await writes.destroy();
  rmSync(folder, { recursive: true, force: true });
});

function write(text: string): Promise<string> {
  return group.transact(async (transaction) => {
    await sql`insert into notes values (${text})`.execute(transaction);
    return text;
  });
}

/** What another connection sees: the committed notes. */
function stored(): unknown[] {
  return reader
    .prepare('select text from notes order by text')
    .all([])
    .map((row) => (row as { text: string }).text);
}

describe('transactions that wait together', () => {
  it('are committed together, each with its own answer', async () => {
    const texts = Array.from({ length: 20 }, (_, index) => `note ${String(index).padStart(2, '0')}`);
    expect(await Promise.all(texts.map(write))).toEqual(texts);
    expect(stored()).toEqual(texts);
    expect(commits).toBe(1);
  });

  it('one that fails takes back only itself', async () => {
    const failing = group.transact(async (transaction) => {
      await sql`insert into notes values ('taken back')`.execute(transaction);
      throw new Error('no');
    });
    const results = await Promise.allSettled([write('before'), failing, write('before'), write('after')]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(stored()).toEqual(['after', 'before']);
  });

  it('see what those before them wrote', async () => {
    const count = () =>
      group.transact(async (transaction) => {
        const { rows } = await sql<{ notes: number }>`select count(*) as notes from notes`.execute(transaction);
        return rows[0]?.notes;
      });
    expect(await Promise.all([count(), write('one'), count()])).toEqual([0, 'one', 1]);
  });

  it('are answered after the commit, never before', async () => {
    await write('one').then((text) => expect(stored()).toContain(text));
  });

  it('all fail when the commit fails', async () => {
    const spoil = group.transact(async (transaction) => {
      await sql`rollback`.execute(transaction);
    });
    const results = await Promise.allSettled([write('lost'), spoil]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(stored()).toEqual([]);
    expect(await write('next')).toBe('next');
  });

  it('that come later go with the next group', async () => {
    await write('one');
    await write('two');
    expect(commits).toBe(2);
    expect(stored()).toEqual(['one', 'two']);
  });
});
