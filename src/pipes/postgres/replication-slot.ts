import type pg from 'pg';
import { SourceError } from '../source-port.ts';
import { type Lsn, parseLsn } from './lsn.ts';
import { textRows } from './postgres-connections.ts';
import type { PostgresPlan } from './postgres-plan.ts';
import { quoteIdentifier } from './quote-identifier.ts';

interface SlotState {
  /** Bytes of write-ahead log that the server keeps for the slot. */
  lagBytes: number;
  isLost: boolean;
}

/** The slot as it is; `undefined` when there is none. Throws `SourceError` for one that cannot be read. */
export async function findSlot(client: pg.Client, name: string): Promise<SlotState | undefined> {
  const [row] = await textRows(
    client,
    `SELECT restart_lsn, plugin, database = current_database(), to_jsonb(s) ->> 'wal_status',
       pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_receive_lsn() ELSE pg_current_wal_lsn() END,
         confirmed_flush_lsn)
     FROM pg_replication_slots s WHERE slot_name = $1`,
    [name],
  );
  if (!row) return undefined;
  const [restart, plugin, isHere, status, lag] = row;
  if (plugin !== 'pgoutput' || isHere !== 't') {
    const sentence = `The replication slot ${name} must be of the plugin pgoutput and of the database that the pipe reads.`;
    throw new SourceError('rejected', sentence);
  }
  const isLost = status === 'lost' || !restart;
  return { lagBytes: Number(lag ?? 0), isLost };
}

/** A slot of ours, made anew: it sends what is committed from now on. */
export async function createSlot(client: pg.Client, { slot, hasFailoverSlot }: PostgresPlan): Promise<void> {
  const failover = hasFailoverSlot ? ', false, false, true' : '';
  await client.query(`SELECT pg_create_logical_replication_slot($1, 'pgoutput'${failover})`, [slot.name]);
}

/** Takes it from a connection that still uses it. */
export async function dropSlot(client: pg.Client, name: string): Promise<void> {
  await client.query(
    'SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE slot_name = $1 AND active',
    [name],
  );
  for (let tries = 0; ; tries++) {
    try {
      await client.query('SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = $1', [
        name,
      ]);
      return;
    } catch (error) {
      if (tries === dropTriesMax || !isInUse(error)) throw error;
      await client.query('SELECT pg_sleep(0.1)');
    }
  }
}

const dropTriesMax = 50;

function isInUse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55006';
}

/** One that the pipe names must be there with all tables. */
export async function checkGivenPublication(client: pg.Client, plan: PostgresPlan): Promise<void> {
  const { name, isOurs } = plan.publication;
  const [first] = isOurs ? [] : await tablesNotIn(client, plan);
  if (first === undefined) return;
  const sentence = `The publication ${name} does not exist or lacks the table ${first}; add it, or leave publicationName out.`;
  throw new SourceError('rejected', sentence);
}

/** Makes our publication fit the tables of the pipe, or checks the given one. */
export async function ensurePublication(client: pg.Client, plan: PostgresPlan): Promise<void> {
  if (!plan.publication.isOurs) return checkGivenPublication(client, plan);
  const { name } = plan.publication;
  if ((await tablesNotIn(client, plan)).length === 0) return;
  const tables = plan.tables.map(({ schema, table }) => `ONLY ${quoteIdentifier(schema)}.${quoteIdentifier(table)}`);
  const quoted = quoteIdentifier(name);
  const [version] = (await textRows(client, "SELECT current_setting('server_version_num')"))[0] ?? [];
  const exists = (await textRows(client, 'SELECT 1 FROM pg_publication WHERE pubname = $1', [name])).length > 0;
  if (exists) {
    await client.query(`ALTER PUBLICATION ${quoted} SET TABLE ${tables.join(', ')}`);
    return;
  }
  const root = Number(version) >= 130_000 ? ' WITH (publish_via_partition_root = true)' : '';
  await client.query(`CREATE PUBLICATION ${quoted} FOR TABLE ${tables.join(', ')}${root}`);
}

async function tablesNotIn(client: pg.Client, { publication, tables }: PostgresPlan): Promise<string[]> {
  const rows = await textRows(
    client,
    `SELECT wanted.s || '.' || wanted.t FROM unnest($1::text[], $2::text[]) AS wanted(s, t)
     WHERE NOT EXISTS (SELECT FROM pg_publication_tables p
       WHERE p.pubname = $3 AND p.schemaname = wanted.s AND p.tablename = wanted.t)`,
    [tables.map(({ schema }) => schema), tables.map(({ table }) => table), publication.name],
  );
  return rows.map(([table]) => table ?? '');
}

/**
 * A place in the log, and the end of every transaction that was open then: a snapshot that is taken afterwards shows each
 * change that lies before the place.
 */
export async function settledLsn(client: pg.Client, signal: AbortSignal): Promise<Lsn> {
  const [[lsn, now] = []] = await textRows(client, 'SELECT pg_current_wal_insert_lsn(), txid_current()');
  while (!signal.aborted) {
    const [[oldest] = []] = await textRows(client, 'SELECT txid_snapshot_xmin(txid_current_snapshot())');
    if (BigInt(oldest ?? 0) > BigInt(now ?? 0)) break;
    await client.query('SELECT pg_sleep(0.2)');
  }
  return parseLsn(lsn ?? '');
}

/** What the pipe made in PostgreSQL. */
export async function removeOwnObjects(client: pg.Client, plan: PostgresPlan): Promise<void> {
  if (plan.slot.isOurs) await dropSlot(client, plan.slot.name);
  if (plan.publication.isOurs)
    await client.query(`DROP PUBLICATION IF EXISTS ${quoteIdentifier(plan.publication.name)}`);
}
