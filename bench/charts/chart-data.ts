import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BenchEngine, startBenchEngine, untilMerged } from '../bench-engine.ts';
import { exporterTables } from './exporter-tables.ts';
import { type Load, shopLoads } from './telemetry-data.ts';

/** The same rows twice: in the program's own tables and in the exporter's. */
export const ownDatabase = 'otel';
export const exporterDatabase = 'exporter';

const rowsPerStatement = 100_000;
const hourMs = 3_600_000;

interface Contents {
  scale: number;
  /** Where the rows end. */
  endMs: number;
  filled: string[];
}

/** What is filled: which databases, and the loads of which tables at which scale. */
export interface Filling {
  databases: readonly string[];
  loads: (database: string, endSeconds: number) => readonly Load[];
}

export interface ChartData {
  engine: BenchEngine;
  endMs: number;
}

/**
 * An engine on a folder that holds both databases. What a run before has filled is used again; deleting a database
 * there, or its name in `contents.json`, has it refilled up to the same end.
 */
export function openChartData(folder: string, scale: number): Promise<ChartData> {
  const loads = (database: string, endSeconds: number) => shopLoads(database, scale, endSeconds);
  return openFilled(folder, scale, { databases: [exporterDatabase, ownDatabase], loads });
}

/** As `openChartData`, with what `filling` describes. */
export async function openFilled(folder: string, scale: number, filling: Filling): Promise<ChartData> {
  mkdirSync(folder, { recursive: true });
  const contents = contentsOf(folder, scale);
  const engine = await startBenchEngine(join(folder, 'telemetry'));
  try {
    for (const database of filling.databases) {
      if (contents.filled.includes(database)) continue;
      await fill(engine, database, filling.loads(database, contents.endMs / 1000));
      contents.filled.push(database);
      writeFileSync(contentsFile(folder), JSON.stringify(contents));
    }
    await engine.databases.ensure(ownDatabase);
    await untilMerged(engine);
  } catch (error) {
    await engine.stop();
    throw error;
  }
  return { engine, endMs: contents.endMs };
}

function contentsOf(folder: string, scale: number): Contents {
  const file = contentsFile(folder);
  if (!existsSync(file)) return { scale, endMs: Math.floor(Date.now() / hourMs) * hourMs, filled: [] };
  const contents = JSON.parse(readFileSync(file, 'utf8')) as Contents;
  if (contents.scale !== scale) throw new Error(`${folder} holds data of scale ${contents.scale}`);
  return contents;
}

function contentsFile(folder: string): string {
  return join(folder, 'contents.json');
}

async function fill(engine: BenchEngine, database: string, loads: readonly Load[]): Promise<void> {
  await command(engine, `DROP DATABASE IF EXISTS ${database}`);
  if (database === ownDatabase) await engine.databases.ensure(database);
  else for (const statement of exporterTables(database)) await command(engine, statement);
  for (const { table, rows, statement } of loads) {
    console.log(`  ${rows.toLocaleString('en-US')} rows into ${database}.${table}`);
    for (let first = 0; first < rows; first += rowsPerStatement) {
      await command(engine, statement(first, Math.min(rowsPerStatement, rows - first)));
    }
  }
}

function command(engine: BenchEngine, sql: string): Promise<void> {
  return engine.client.command(sql, { timeoutMs: 600_000 });
}
