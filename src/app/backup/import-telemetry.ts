import { resolve } from 'node:path';
import { BackupError } from '../../backup/backup-error.ts';
import { type BackupTable, partFolder } from '../../backup/manifest.ts';
import { quoteName } from '../../kernel/sql-quoting.ts';
import { ClickHouseClient } from '../../telemetry/clickhouse-client.ts';
import { parseEndpoints, RoundRobinEndpoints } from '../../telemetry/endpoints.ts';
import { attachPart, emptyTable, makeTables } from '../../telemetry/parts/attach-parts.ts';
import { copyPart } from '../../telemetry/parts/copy-part.ts';
import type { StoredTable } from '../../telemetry/parts/stored-tables.ts';
import type { BlockInserter, TelemetryTable } from '../../telemetry/ports.ts';
import { telemetryTables } from '../../telemetry/schema/render-ddl.ts';
import { ClickHouseTelemetryDatabases } from '../../telemetry/schema/telemetry-databases.ts';
import { topologyOf } from '../telemetry-store.ts';
import { ImportJournal } from './import-journal.ts';
import { type OpenEngine, startEngine } from './open-engine.ts';
import { PatientInserter } from './patient-inserter.ts';
import { placePart, type RestoreTelemetryDeps, tableLike } from './restore-telemetry.ts';

export interface ImportDeps extends RestoreTelemetryDeps {
  /** Tables that have rows already are no reason to stop. */
  add: boolean;
}

/** A table of the backup under the name that today's program has for it. */
interface ImportedTable extends BackupTable {
  name: TelemetryTable;
}

/**
 * Inserts the telemetry of a backup into the server or cluster that the settings name. Part after part is opened with an
 * embedded engine and sent in Native blocks with tokens, so that nothing is stored twice when it is run again.
 *
 * @throws {BackupError} before anything is written: for a damaged backup, or tables that are not empty
 */
export async function importTelemetry(deps: ImportDeps): Promise<void> {
  const { reader, config, clock, ids } = deps;
  const tables = (reader.manifest.telemetry?.tables ?? []).map(known);
  await checkFiles(deps, tables);
  const journal = await ImportJournal.open(resolve(config.dataFolder), reader.manifest.id);
  const endpoints = (config.secrets.clickhouseUrls ?? []).flatMap((url) => parseEndpoints(url.reveal()));
  const server = new ClickHouseClient({ endpoints: new RoundRobinEndpoints(endpoints), clock, ids });
  const { store, retentionDays } = config.telemetry;
  const databases = new ClickHouseTelemetryDatabases(server, topologyOf(store), retentionDays);
  const engine = await startEngine(deps.staging, deps);
  try {
    for (const database of new Set(tables.map((table) => table.database))) await databases.ensure(database);
    if (!deps.add && !journal.isBegun) await checkTables(server, tables);
    await journal.begin();
    const made = await makeTables(engine.client, tables, 'none');
    await copyTables({ ...deps, engine, journal, inserter: new PatientInserter(server, clock) }, tables, made);
  } finally {
    await engine.close();
    await server.close();
  }
}

function known(table: BackupTable): ImportedTable {
  const name = telemetryTables.find((one) => one.name === table.name)?.name;
  if (name) return { ...table, name };
  throw new BackupError(`This version of Signalbox does not know the table ${table.name} of the backup.`);
}

/** Everything is read once before the first row is inserted. */
async function checkFiles({ reader, progress }: ImportDeps, tables: readonly BackupTable[]): Promise<void> {
  const files = tables.flatMap((table) =>
    table.parts.flatMap(({ name }) => reader.filesBelow(partFolder(table, name))),
  );
  for (const [at, path] of files.entries()) {
    await reader.check(path);
    progress.report('Checksums', at + 1, files.length);
  }
}

async function checkTables(server: ClickHouseClient, tables: readonly ImportedTable[]): Promise<void> {
  for (const { database, name } of tables) {
    const sql = `SELECT count() FROM (SELECT 1 FROM ${quoteName(database)}.${quoteName(name)} LIMIT 1)`;
    const { columns } = await server.query(sql, { timeoutMs: 60_000 });
    if (Number(columns[0]?.[0]) === 0) continue;
    throw new BackupError(
      `The table ${database}.${name} on the server of SIGNALBOX_CLICKHOUSE_URL is not empty; with --add, the rows of the backup are added.`,
    );
  }
}

interface CopyDeps extends ImportDeps {
  engine: OpenEngine;
  journal: ImportJournal;
  inserter: BlockInserter;
}

async function copyTables(
  deps: CopyDeps,
  tables: readonly ImportedTable[],
  made: readonly StoredTable[],
): Promise<void> {
  const total = tables.flatMap(({ parts }) => parts).reduce((sum, { rows }) => sum + rows, 0);
  let done = 0;
  const onCopied = (rows: number) => {
    done += rows;
    deps.progress.report('Telemetry', done, total);
  };
  for (const table of tables) {
    for (const { name, rows } of table.parts) {
      if (deps.stopSignal.aborted) throw new BackupError('It was interrupted; run the same command again to continue.');
      const identity = partFolder(table, name);
      if (deps.journal.has(identity)) onCopied(rows);
      else await copyOne(deps, table, { name, stored: tableLike(made, table), onCopied });
    }
  }
}

async function copyOne(
  { reader, engine, inserter, journal }: CopyDeps,
  table: ImportedTable,
  { name, stored, onCopied }: { name: string; stored: StoredTable; onCopied: (rows: number) => void },
): Promise<void> {
  const { database, name: tableName, columns } = table;
  const identity = partFolder(table, name);
  await placePart(reader, table, { name, stored });
  await attachPart(engine.client, table, name);
  await copyPart({
    ...{ from: engine.client, to: inserter, database, table: tableName, columns, onCopied, journal },
    identity: `${reader.manifest.id} ${identity}`,
  });
  await emptyTable(engine.client, table);
  await journal.add(identity);
}
