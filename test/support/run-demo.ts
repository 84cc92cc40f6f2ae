import { join } from 'node:path';
import { inject } from 'vitest';
import { openDemo, type RunningDemo } from '../../scripts/demo/open-demo.mjs';

export type { RunningDemo };

/** `npm run demo` of the build under test. */
export function runDemo(): Promise<RunningDemo> {
  return openDemo({ SIGNALBOX_DEMO_PROGRAM: join(inject('programFolder'), 'main.js') });
}
