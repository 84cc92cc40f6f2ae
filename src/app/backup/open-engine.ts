import { BackupError } from '../../backup/backup-error.ts';
import { type EngineEndpoint, readEndpoint } from '../../engine/endpoint-file.ts';
import { DataFolderLockedError } from '../../engine/supervisor.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import { ClickHouseClient } from '../../telemetry/clickhouse-client.ts';
import { TelemetryError } from '../../telemetry/ports.ts';
import { embeddedEngine, engineFolder } from '../embedded-engine.ts';

export interface OpenEngineDeps {
  clock: Clock;
  ids: Ids;
}

export interface OpenEngine {
  client: ClickHouseClient;
  /** A running program's; otherwise it was started here. */
  isShared: boolean;
  close(): Promise<void>;
}

const pingTimeoutMs = 5_000;

/**
 * The embedded engine of a data folder: the one of the running program, since only one process may open the folder, or
 * one that is started here.
 *
 * @throws {BackupError} when another process holds the folder and cannot be asked
 */
export async function openEngine(dataFolder: string, deps: OpenEngineDeps): Promise<OpenEngine> {
  const running = await runningEngine(dataFolder, deps);
  if (running) return running;
  try {
    return await startEngine(dataFolder, deps);
  } catch (error) {
    if (!(error instanceof DataFolderLockedError)) throw error;
    // A program that is just starting has its engine now.
    const started = await runningEngine(dataFolder, deps);
    if (started) return started;
    throw new BackupError(`Another process holds the data folder ${dataFolder}, and its engine does not answer.`);
  }
}

/** The engine of a program that runs on this folder. */
export async function runningEngine(dataFolder: string, deps: OpenEngineDeps): Promise<OpenEngine | undefined> {
  const endpoint = readEndpoint(engineFolder(dataFolder));
  if (!endpoint) return undefined;
  const client = clientOf(() => endpoint, deps);
  try {
    await client.query('SELECT 1', { timeoutMs: pingTimeoutMs });
    return { client, isShared: true, close: () => client.close() };
  } catch (error) {
    await client.close();
    if (error instanceof TelemetryError) return undefined;
    throw error;
  }
}

/** @throws {DataFolderLockedError} when another process has opened the folder */
export async function startEngine(dataFolder: string, deps: OpenEngineDeps): Promise<OpenEngine> {
  const supervisor = embeddedEngine({ dataFolder, fsync: false, lockWaitMs: 0, ...deps });
  await supervisor.start();
  const client = clientOf(() => supervisor.endpoint, deps);
  const close = async () => {
    await client.close();
    await supervisor.stop();
  };
  return { client, isShared: false, close };
}

function clientOf(endpoint: () => EngineEndpoint | undefined, deps: OpenEngineDeps): ClickHouseClient {
  const endpoints = () => {
    const known = endpoint();
    return known ? [known] : [];
  };
  return new ClickHouseClient({ endpoints: { endpoints }, ...deps });
}
