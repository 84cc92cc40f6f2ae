import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { onBothStores, openRaw } from '../../../test/support/metadata-stores.ts';
import { CommittingDatabase, type OpenStore } from '../metadata-database.ts';
import { migrate } from '../migrations/migrate.ts';
import { migrationList } from '../migrations/migration-list.ts';
import { dumpMetadata } from './dump-metadata.ts';
import { dumpedTables } from './dumped-tables.ts';
import { loadMetadata } from './load-metadata.ts';
import { type MetadataRow, parseRow, renderRow } from './metadata-row.ts';

type Row = MetadataRow['row'];

interface Dumped {
  migrations: readonly string[];
  rows: MetadataRow[];
}

async function dumpOf(store: OpenStore): Promise<Dumped> {
  const rows: MetadataRow[] = [];
  const { migrations } = await dumpMetadata(store, async (row) => {
    // As a file carries it.
    rows.push(parseRow(renderRow(row)));
  });
  return { migrations, rows };
}

async function* streamOf(rows: readonly MetadataRow[]): AsyncGenerator<MetadataRow> {
  yield* rows;
}

function load(store: OpenStore, { migrations, rows }: Dumped): Promise<void> {
  return loadMetadata(new CommittingDatabase(store), { migrations, rows: streamOf(rows) }, 0);
}

async function insert(store: OpenStore, { table, row }: MetadataRow): Promise<void> {
  const names = Object.keys(row);
  const columns = sql.join(names.map((name) => sql.ref(name)));
  const values = sql.join(names.map((name) => sql`${row[name]}`));
  await sql`insert into ${sql.table(table)} (${columns}) values (${values})`.execute(store.writes);
}

const text = fc.string({ unit: 'grapheme', maxLength: 30 });
const document = fc.json({ maxDepth: 2 });
const time = fc.integer({ min: 0, max: 2 ** 52 });

/** Rows of tables that refer to each other, with numbers that have gaps. */
const contents = fc
  .record({
    tenant: fc.record({ name: text, created_at: time }),
    dashboards: fc.array(fc.record({ document, name: text, version: fc.nat() }), { maxLength: 25 }),
    alerts: fc.array(fc.record({ document, created_at: time, updated_at: time }), { maxLength: 4 }),
    windows: fc.uniqueArray(time, { maxLength: 6 }),
  })
  .map(({ tenant, dashboards, alerts, windows }): MetadataRow[] => {
    const tenantRow: Row = { sequence: 7, id: 'tenant', kind: 'team', telemetry_database: 'otel', ...tenant };
    const owned = { tenant_id: 'tenant' };
    return [
      { table: 'tenants', row: tenantRow },
      ...dashboards.map((row, at) => ({
        table: 'dashboards',
        row: { ...row, ...owned, sequence: 3 * at + 1, id: `dashboard ${at}` },
      })),
      ...alerts.flatMap((row, at) => [
        {
          table: 'alerts',
          row: { ...row, ...owned, sequence: at + 1, id: `alert ${at}`, version: 1, dashboard_id: null },
        },
        {
          table: 'alert_states',
          row: {
            ...owned,
            ...{ alert_id: `alert ${at}`, epoch: 1, next_window_ms: 1, due_ms: 1, lease_until_ms: 0 },
            ...{ status: 'OK', state: '{}', errors: null, lease_owner: null },
          },
        },
        ...windows.map((window_end_ms) => ({
          table: 'alert_history',
          row: { ...owned, alert_id: `alert ${at}`, window_end_ms, document: row.document },
        })),
      ]),
    ];
  });

onBothStores((underTest, kind) => {
  async function emptyStore(): Promise<OpenStore> {
    return openRaw(await underTest().anotherLocation());
  }

  it('a dump holds every table of the schema', async () => {
    const names = (await underTest().raw.reads.introspection.getTables()).map(({ name }) => name);
    expect(dumpedTables.map(({ name }) => name).toSorted()).toEqual(
      names.filter((name) => name !== 'migrations').toSorted(),
    );
  });

  it('a dump loaded into an empty store is dumped equally, and its numbers continue', async () => {
    await fc.assert(
      fc.asyncProperty(contents, async (rows) => {
        const [first, second] = [await emptyStore(), await emptyStore()];
        try {
          await migrate(new CommittingDatabase(first), migrationList, 0);
          for (const row of rows) await insert(first, row);
          const dump = await dumpOf(first);
          expect(sorted(dump.rows.map(withoutNulls))).toEqual(sorted(rows.map(withoutNulls)));
          await load(second, dump);
          expect(await dumpOf(second)).toEqual(dump);
          await insert(second, {
            table: 'tenants',
            row: { id: 'next', kind: 'team', name: '', telemetry_database: 'x', created_at: 0 },
          });
          await expect(load(second, dump)).rejects.toThrow('not empty');
        } finally {
          await Promise.all([first.close(), second.close()]);
        }
      }),
      { numRuns: kind === 'embedded' ? 10 : 4 },
    );
  });

  it('a dump of an older schema is brought up to date after its rows are there', async () => {
    const [first, second] = [await emptyStore(), await emptyStore()];
    await migrate(new CommittingDatabase(first), migrationList.slice(0, 3), 0);
    await insert(first, {
      table: 'tenants',
      row: { sequence: 1, id: 'a', kind: 'team', name: 'A', telemetry_database: 'otel', created_at: 0 },
    });
    await load(second, await dumpOf(first));
    const { migrations, rows } = await dumpOf(second);
    expect(migrations).toEqual(migrationList.map(({ name }) => name));
    expect(rows.map(({ row }) => row.id)).toEqual(['a']);
    await Promise.all([first.close(), second.close()]);
  });

  it('a dump of a newer program is rejected, and nothing is made', async () => {
    const store = await emptyStore();
    const dump = { migrations: [...migrationList.map(({ name }) => name), '9999-later'], rows: [] };
    await expect(load(store, dump)).rejects.toThrow('9999-later');
    expect((await store.reads.introspection.getTables()).filter(({ name }) => name === 'tenants')).toEqual([]);
    await store.close();
  });

  it('a row that does not fit leaves the store empty', async () => {
    const store = await emptyStore();
    const row = { sequence: 1, id: 'a', kind: 'team', name: 'A', telemetry_database: 'otel', created_at: 0 };
    const rows = [
      { table: 'tenants', row },
      { table: 'users', row: { id: 'b', tenant_id: 'nobody’s', role: 'owner', created_at: 0 } },
    ];
    await expect(load(store, { migrations: migrationList.map(({ name }) => name), rows })).rejects.toThrow();
    expect((await store.reads.introspection.getTables()).filter(({ name }) => name === 'tenants')).toEqual([]);
    await store.close();
  });

  it('what is committed after a dump began is not in it, and waits for nothing', async () => {
    const store = await emptyStore();
    await migrate(new CommittingDatabase(store), migrationList, 0);
    const tenant = (id: string) => ({
      table: 'tenants',
      row: { id, kind: 'team', name: id, telemetry_database: id, created_at: 0 },
    });
    await insert(store, tenant('before'));
    const ids: unknown[] = [];
    await dumpMetadata(store, async ({ row }) => {
      if (ids.length === 0) await insert(store, tenant('during'));
      ids.push(row.id);
    });
    expect(ids).toEqual(['before']);
    await store.close();
  });
});

function withoutNulls({ table, row }: MetadataRow): string {
  const present = Object.entries(row).filter(([, cell]) => cell !== null);
  return JSON.stringify([table, Object.fromEntries(present.toSorted(([a], [b]) => a.localeCompare(b)))]);
}

function sorted(lines: readonly string[]): string[] {
  return lines.toSorted();
}
