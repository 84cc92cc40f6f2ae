import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { build } from '../../scripts/build.mjs';
import { startRunBroker } from './run-broker/run-broker.ts';
import { runServices } from './run-broker/run-services.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder with `main.js` and `engine-child.js`, built from the present sources for this test run alone. */
    programFolder: string;
    /** Where a file asks for what it shares with the others of the run. */
    runBroker: string;
  }
}

/** Builds the program once, so that tests which start it run what users run. Below node_modules, so that packages resolve. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = join(resolve(import.meta.dirname, '../..'), 'node_modules/.cache', `signalbox-test-${process.pid}`);
  await build(folder);
  project.provide('programFolder', folder);
  const broker = await startRunBroker(runServices(folder));
  project.provide('runBroker', broker.url);
  return async () => {
    await broker.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
