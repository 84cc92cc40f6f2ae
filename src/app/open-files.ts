import { readFile } from 'node:fs/promises';
import { StartError } from './start-error.ts';

/** Listeners, connections of callers and to the stores, and what the engine keeps open of its tables and merges. */
const openFilesMin = 512;

/** @throws {StartError} when the program would run out of files under its first load */
export async function checkOpenFiles(readLimits = () => readFile('/proc/self/limits', 'utf8')): Promise<void> {
  // There is no such file on systems other than Linux.
  const text = await readLimits().catch(() => '');
  const limit = Number(/^Max open files\s+(\d+)/m.exec(text)?.[1] ?? Number.POSITIVE_INFINITY);
  if (limit >= openFilesMin) return;
  throw new StartError(
    `The limit of open files is ${limit}, and the program needs at least ${openFilesMin}; raise it (ulimit -n).`,
  );
}
