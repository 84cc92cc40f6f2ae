import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');

/**
 * Bundles the program of worker threads from the present sources, as the build does, and answers its file, which is
 * gone after the tests of the calling file. Threads load no TypeScript: hooks of a loader don't reach them on Node.js 20.
 */
export function threadProgram(entry = join(root, 'src/worker-thread.ts')): string {
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  // Below node_modules, so that packages resolve.
  const folder = mkdtempSync(join(cache, 'signalbox-threads-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const outfile = join(folder, 'program.mjs');
  buildSync({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm', packages: 'external' });
  return outfile;
}
