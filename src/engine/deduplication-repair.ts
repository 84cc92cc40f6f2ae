import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quoteName } from '../kernel/sql-quoting.ts';
import type { ChdbEngine } from './chdb-engine.ts';

interface MergeTreeTable {
  database: string;
  name: string;
  path: string;
}

interface BlockRange {
  partition: string;
  min: number;
  max: number;
}

const logsFolder = 'deduplication_logs';

/**
 * MergeTree writes a batch's token into its deduplication log first and makes the part visible after that. A process
 * that is killed between the two has the token but not the rows, and would drop the batch when it is sent again: rows
 * acknowledged and lost. So before the engine serves anyone, tokens whose part is not there are forgotten.
 *
 * It must run at every start: a later insert could take the lost part's block number and make it look committed.
 */
export async function forgetUncommittedTokens(engine: ChdbEngine): Promise<void> {
  for (const table of await tablesWithTokens(engine)) {
    const parts = readdirSync(table.path);
    const repairs = logFiles(table).flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      const kept = committedRecords(text, parts);
      return kept === text ? [] : [{ file, kept }];
    });
    if (repairs.length === 0) continue;
    // The table holds its log open and in memory.
    const name = `${quoteName(table.database)}.${quoteName(table.name)}`;
    await engine.command(`DETACH TABLE ${name} SYNC`);
    for (const { file, kept } of repairs) replaceFile(file, kept);
    await engine.command(`ATTACH TABLE ${name}`);
  }
}

/**
 * The records of a deduplication log (`operation TAB part TAB token`, operation 1 adds) without those whose part is
 * neither among `partNames` nor inside one that it was merged into.
 */
export function committedRecords(log: string, partNames: readonly string[]): string {
  const present = partNames.map(blockRangeOf).filter((range) => range !== undefined);
  const lines = log.split('\n').filter((line) => {
    const [operation, part = ''] = line.split('\t');
    const range = blockRangeOf(part);
    return operation !== '1' || !range || present.some((whole) => covers(whole, range));
  });
  return lines.join('\n');
}

/** `<partition>_<min block>_<max block>_<level>[_<mutation>]`; `undefined` for other names, `tmp_insert_…` among them. */
function blockRangeOf(partName: string): BlockRange | undefined {
  const match = /^([^_]+)_(\d+)_(\d+)_\d+(?:_\d+)?$/.exec(partName);
  if (!match?.[1]) return undefined;
  return { partition: match[1], min: Number(match[2]), max: Number(match[3]) };
}

function covers(whole: BlockRange, part: BlockRange): boolean {
  return whole.partition === part.partition && whole.min <= part.min && part.max <= whole.max;
}

async function tablesWithTokens(engine: ChdbEngine): Promise<MergeTreeTable[]> {
  const sql = `SELECT database, name, data_paths[1] AS path
    FROM system.tables WHERE engine LIKE '%MergeTree' AND engine_full LIKE '%deduplication_window%'`;
  const lines = (await engine.command(sql, 'JSONEachRow')).split('\n');
  return lines.filter((line) => line !== '').map((line): MergeTreeTable => JSON.parse(line));
}

function logFiles({ path }: MergeTreeTable): string[] {
  const folder = join(path, logsFolder);
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    // Nothing was inserted with a token yet.
    return [];
  }
}

function replaceFile(file: string, text: string): void {
  const draft = `${file}.repaired`;
  writeFileSync(draft, text);
  renameSync(draft, file);
}
