import { join } from 'node:path';
import { EngineSupervisor, type EngineSupervisorOptions } from '../engine/supervisor.ts';

const concurrencyMax = 24;
const memoryBytesMax = 2 * 1024 ** 3;
/** Statements whose callers are gone need not be waited for; the engine survives being killed. */
const stopGraceMs = 1_200;

export interface EmbeddedEngineOptions
  extends Pick<EngineSupervisorOptions, 'fsync' | 'clock' | 'ids' | 'onEvent' | 'lockWaitMs'> {
  /** The program's data folder. */
  dataFolder: string;
}

/** Where the embedded engine keeps its data. */
export function engineFolder(dataFolder: string): string {
  return join(dataFolder, 'telemetry');
}

/** The embedded engine of a data folder, to be started. */
export function embeddedEngine({ dataFolder, ...options }: EmbeddedEngineOptions): EngineSupervisor {
  const childFile = join(import.meta.dirname, 'engine-child.js');
  const dataDir = engineFolder(dataFolder);
  return new EngineSupervisor({ childFile, dataDir, memoryBytesMax, concurrencyMax, stopGraceMs, ...options });
}
