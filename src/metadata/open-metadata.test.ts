import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { connectionOf } from '../../test/support/connection-record.ts';
import { gate } from '../../test/support/gate.ts';
import { onBothStores, openRaw, openTestMetadata } from '../../test/support/metadata-stores.ts';
import { sourceOf } from '../../test/support/source-record.ts';
import { randomIds } from '../kernel/ids.ts';
import type { Webhook } from '../resources/webhooks/webhook-repository.ts';
import { migrationList } from './migrations/migration-list.ts';

onBothStores((underTest, kind) => {
  describe('opening', () => {
    it('brings the schema up to date once', async () => {
      expect(await underTest().store.migrate()).toEqual([]);
      const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(
        underTest().raw.reads,
      );
      expect(rows.map((row) => row.name)).toEqual(migrationList.map((migration) => migration.name));
    });

    it('again finds what was written', async () => {
      const location = await underTest().anotherLocation();
      const first = await openTestMetadata(location);
      await first.webhooks.insert('a tenant', webhookOf('kept'));
      await first.close();
      const second = await openTestMetadata(location);
      expect(await second.webhooks.findByName('a tenant', 'generic', 'kept')).toBeDefined();
      await second.close();
    });

    // On the embedded store see `durability.test.ts`: it takes several processes.
    it.runIf(kind === 'postgres')('by several at the same time makes one schema', async () => {
      const location = await underTest().anotherLocation();
      const stores = await Promise.all([1, 2, 3, 4].map(() => openTestMetadata(location)));
      for (const store of stores) {
        expect(await store.migrate()).toEqual([]);
        await store.close();
      }
    });

    it('rejects a schema that a newer program wrote', async () => {
      const location = await underTest().anotherLocation();
      await (await openTestMetadata(location)).close();
      const raw = await openRaw(location);
      await raw.writes.insertInto('migrations').values({ name: '9999-flying-cars', applied_at: 0 }).execute();
      await raw.close();
      await expect(openTestMetadata(location)).rejects.toMatchObject({
        code: 'newer_schema',
        message: expect.stringContaining('9999-flying-cars'),
      });
    });
  });

  describe('a transaction over several repositories', () => {
    it('commits all of it', async () => {
      const tenantId = randomIds.hex24();
      await underTest().store.transaction(async (inside) => {
        await inside.webhooks.insert(tenantId, webhookOf('ops'));
        await inside.dashboards.transaction((dashboards) => dashboards.insert(tenantId, dashboardOf('one'), change));
        expect(await inside.dashboards.findByName(tenantId, 'one')).toBeDefined();
      });
      expect(await underTest().store.dashboards.listTexts(tenantId, {})).toHaveLength(1);
      expect(await underTest().store.webhooks.findByName(tenantId, 'generic', 'ops')).toBeDefined();
    });

    it('that throws leaves no trace, and the store keeps working', async () => {
      const tenantId = randomIds.hex24();
      const { store } = underTest();
      const failing = store.transaction(async (inside) => {
        await inside.webhooks.insert(tenantId, webhookOf('ops'));
        await inside.dashboards.transaction((dashboards) => dashboards.insert(tenantId, dashboardOf('one'), change));
        throw new Error('stop');
      });
      await expect(failing).rejects.toThrow('stop');
      expect(await store.dashboards.listTexts(tenantId, {})).toEqual([]);
      expect(await store.webhooks.insert(tenantId, webhookOf('ops'))).toBe('inserted');
    });

    it('continues after a name was taken', async () => {
      const tenantId = randomIds.hex24();
      const { store } = underTest();
      await store.webhooks.insert(tenantId, webhookOf('ops'));
      await store.transaction(async (inside) => {
        expect(await inside.webhooks.insert(tenantId, webhookOf('ops'))).toBe('nameTaken');
        expect(await inside.webhooks.insert(tenantId, webhookOf('second'))).toBe('inserted');
      });
      expect(await store.webhooks.findByName(tenantId, 'generic', 'second')).toBeDefined();
    });

    it('writing past it throws instead of waiting for ever; reading past it is fine', async () => {
      const tenantId = randomIds.hex24();
      const { store } = underTest();
      const misuse = { name: 'MetadataError', code: 'misuse' };
      await store.transaction(async () => {
        await expect(store.webhooks.insert(tenantId, webhookOf('ops'))).rejects.toMatchObject(misuse);
        await expect(store.dashboards.transaction(async () => {})).rejects.toMatchObject(misuse);
        expect(await store.webhooks.findByName(tenantId, 'generic', 'ops')).toBeUndefined();
      });
      expect(await store.webhooks.insert(tenantId, webhookOf('ops'))).toBe('inserted');
    });

    it('40 concurrent ones that also read outside of it all complete', async () => {
      const tenantId = randomIds.hex24();
      const { store } = underTest();
      const names = Array.from({ length: 40 }, (_, n) => `hook ${n}`);
      await Promise.all(
        names.map((name) =>
          store.transaction(async (inside) => {
            await inside.webhooks.insert(tenantId, webhookOf(name));
            await store.webhooks.findByName(tenantId, 'generic', name);
          }),
        ),
      );
      expect((await store.webhooks.list(tenantId, { limit: 100, offset: 0 })).total).toBe(40);
    });

    it('work that it started and left behind may write once it has ended', async () => {
      const { store } = underTest();
      const ended = gate();
      const { leftBehind } = await store.transaction(async () => ({
        leftBehind: ended.passed.then(() => store.webhooks.insert(randomIds.hex24(), webhookOf('late'))),
      }));
      ended.open();
      expect(await leftBehind).toBe('inserted');
    });
  });

  describe('two processes on one store', () => {
    it('each find what the other has changed of what they remember', async () => {
      const location = await underTest().anotherLocation();
      const [one, other] = [await openTestMetadata(location), await openTestMetadata(location)];
      const tenantId = randomIds.hex24();
      const connection = connectionOf();
      const source = sourceOf({ connection: connection.id });
      await one.connections.insert(tenantId, connection);
      await one.sources.insert(tenantId, source);
      const names = async (store: typeof one) => [
        (await store.connections.find(tenantId, connection.id))?.name,
        (await store.sources.find(tenantId, source.id))?.name,
      ];
      for (let turn = 0; turn < 6; turn++) {
        const [writer, reader] = turn % 2 === 0 ? [one, other] : [other, one];
        await Promise.all([names(writer), names(reader)]);
        await writer.connections.replace(tenantId, { ...connection, name: `connection ${turn}` });
        await writer.sources.replace(tenantId, { ...source, name: `source ${turn}` });
        const expected = [`connection ${turn}`, `source ${turn}`];
        expect([await names(reader), await names(writer)]).toEqual([expected, expected]);
      }
      await one.sources.remove(tenantId, source.id);
      await one.connections.remove(tenantId, connection.id);
      expect(await names(other)).toEqual([undefined, undefined]);
      await Promise.all([one.close(), other.close()]);
    });
  });

  describe('a lock', () => {
    it('lets one transaction at a time through, also from another connection', async () => {
      const { raw } = underTest();
      const steps: string[] = [];
      const run = (name: string): Promise<void> =>
        raw.writes.transaction().execute(async (transaction) => {
          await raw.dialect.lock(transaction, 'a test');
          steps.push(`${name} in`);
          await sql`select 1`.execute(transaction);
          steps.push(`${name} out`);
        });
      await Promise.all([run('one'), run('two'), run('three')]);
      for (let n = 0; n < steps.length; n += 2) expect(steps[n + 1]).toBe(steps[n]?.replace('in', 'out'));
      expect(steps).toHaveLength(6);
    });
  });

  it.runIf(kind === 'postgres')('recovers after the server has cut every connection', async () => {
    const location = await underTest().anotherLocation();
    const [store, raw] = [await openTestMetadata(location), await openRaw(location)];
    await store.webhooks.insert('a tenant', webhookOf('before'));
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(raw.reads);
    const insert = () => store.webhooks.insert('a tenant', webhookOf('after'));
    await expect.poll(() => insert().then(() => 'stored', String)).toBe('stored');
    // Reads have separate connections, each of which may notice the cut only when it is used.
    const find = () => store.webhooks.findByName('a tenant', 'generic', 'after');
    await expect.poll(() => find().then((found) => found?.name, String)).toBe('after');
    await Promise.all([store.close(), raw.close()]);
  });

  it('answers a ping while it is open', async () => {
    const store = await openTestMetadata(await underTest().anotherLocation());
    await store.ping();
    await store.close();
    await expect(store.ping()).rejects.toThrow();
  });

  it('writes to the disk with every ping', async () => {
    const { store, raw } = underTest();
    const version = async () => {
      if (raw.stamp) return raw.stamp();
      const { rows } = await sql<{ xmin: string }>`select xmin from migrations order by name limit 1`.execute(
        raw.reads,
      );
      return rows[0]?.xmin;
    };
    const before = await version();
    await store.ping();
    expect(await version()).not.toEqual(before);
  });

  it('keeps whole numbers exact up to the last safe one', async () => {
    const id = randomIds.uuid();
    const { identities } = underTest().store;
    await identities.saveOrganization({ id, name: 'Acme' }, Number.MAX_SAFE_INTEGER);
    const { rows } = await sql<{ created_at: number }>`select created_at from organizations where id = ${id}`.execute(
      underTest().raw.reads,
    );
    expect(rows).toEqual([{ created_at: Number.MAX_SAFE_INTEGER }]);
  });
});

describe('the embedded store', () => {
  it('decisions E5: keeps a write-ahead log and waits for the disk at every commit', async () => {
    await withEmbedded(async (file) => {
      const raw = await openRaw({ kind: 'embedded', file });
      const pragma = async (name: string): Promise<unknown> => {
        const { rows } = await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(raw.writes);
        return Object.values(rows[0] ?? {})[0];
      };
      expect(await pragma('journal_mode')).toBe('wal');
      expect(await pragma('synchronous')).toBe(2);
      expect(await pragma('foreign_keys')).toBe(1);
      await raw.close();
    });
  });

  it('is readable for its owner only, the log beside it too', async () => {
    await withEmbedded(async (file) => {
      const store = await openTestMetadata({ kind: 'embedded', file });
      await store.webhooks.insert('a tenant', webhookOf('ops'));
      for (const path of [file, `${file}-wal`]) expect(statSync(path).mode & 0o077).toBe(0);
      await store.close();
    });
  });

  it('says which file is no database', async () => {
    await withEmbedded(async (file) => {
      writeFileSync(file, 'this is a letter, not a database. '.repeat(100));
      const opening = openTestMetadata({ kind: 'embedded', file });
      await expect(opening).rejects.toMatchObject({ code: 'unreachable', message: expect.stringContaining(file) });
    });
  });

  it('rejects writes through the read-only connection', async () => {
    await withEmbedded(async (file) => {
      const raw = await openRaw({ kind: 'embedded', file });
      await raw.writes.schema.createTable('notes').addColumn('id', 'text').execute();
      const writing = sql`insert into notes values ('a')`.execute(raw.reads);
      await expect(writing).rejects.toMatchObject({ failure: 'read_only' });
      await raw.close();
    });
  });
});

describe('PostgreSQL', () => {
  it('that does not answer is reported by the name of the setting, without the password', async () => {
    const url = 'postgres://signalbox:hunter2@127.0.0.1:1/signalbox';
    const opening = openTestMetadata({ kind: 'postgres', url });
    await expect(opening).rejects.toMatchObject({
      code: 'away',
      message: expect.stringContaining('SIGNALBOX_POSTGRES_URL'),
    });
    await expect(opening).rejects.toThrow(expect.not.stringContaining('hunter2'));
  });
});

async function withEmbedded(test: (file: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-metadata-'));
  try {
    await test(join(folder, 'metadata.db'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function webhookOf(name: string): Webhook {
  const at = '2026-01-01T00:00:00.000Z';
  return { id: randomIds.hex24(), name, service: 'generic', url: 'https://example.com', createdAt: at, updatedAt: at };
}

const change = { atMs: 0, by: 'u', summary: 'Created' };

function dashboardOf(name: string): { id: string; name: string; tags: string[]; tiles: [] } {
  return { id: randomIds.hex24(), name, tags: [], tiles: [] };
}
