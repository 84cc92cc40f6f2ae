import { join } from 'node:path';
import { EngineSupervisor, type EngineSupervisorOptions } from '../../src/engine/supervisor.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { randomIds } from '../../src/kernel/ids.ts';

type Places = { programFolder: string; dataDir: string };

/** Of an engine as tests use it: the built child, data that need not survive a power failure. */
export function engineSupervisor({
  programFolder,
  ...options
}: Places & Partial<EngineSupervisorOptions>): EngineSupervisor {
  return new EngineSupervisor({
    childFile: join(programFolder, 'engine-child.js'),
    memoryBytesMax: 2 * 1024 ** 3,
    concurrencyMax: 24,
    fsync: false,
    clock: systemClock,
    ids: randomIds,
    ...options,
  });
}
