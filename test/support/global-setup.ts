import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { build } from '../../scripts/build.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder with `main.js` and `engine-child.js`, built from the present sources for this test run alone. */
    programFolder: string;
  }
}

/** Builds the program once, so that tests which start it run what users run. Below node_modules, so that packages resolve. */
export async function setup(project: TestProject): Promise<() => void> {
  const folder = join(resolve(import.meta.dirname, '../..'), 'node_modules/.cache', `signalbox-test-${process.pid}`);
  await build(folder);
  project.provide('programFolder', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
