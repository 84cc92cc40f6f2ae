import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { CleanupStack } from '../kernel/cleanup-stack.ts';
import { systemClock } from '../kernel/clock.ts';
import type { Workers } from '../kernel/workers.ts';
import { WorkerPool } from '../workers/worker-pool.ts';

const threadsMin = 2;
const threadsMax = 4;

/** The threads of this process, for work that would hold up its event loop. */
export function openWorkers(cleanup: CleanupStack): Workers {
  const pool = new WorkerPool({
    file: join(import.meta.dirname, 'worker-thread.js'),
    clock: systemClock,
    // At least two, so that one tenant leaves room for the others (docs/adr/0007).
    threadsMax: Math.min(threadsMax, Math.max(threadsMin, availableParallelism())),
  });
  cleanup.push('worker threads', () => pool.close());
  return pool;
}
