import { join } from 'node:path';
import { inject } from 'vitest';
import { openDemo, type RunningDemo } from '../../scripts/demo/open-demo.mjs';
import { askBroker } from './run-broker/ask-broker.ts';

export type { RunningDemo };

/** Where the demo of the run is, and who may enter it. */
export interface SharedDemo
  extends Pick<RunningDemo, 'web' | 'api' | 'key' | 'email' | 'password' | 'otlp' | 'ingestionKey'> {
  /** What happened until then, at a whole minute, is stored and no longer changes. */
  settledUntilMs: number;
}

/** `npm run demo` of the build under test, for a file that looks at its life. */
export function runDemo(): Promise<RunningDemo> {
  return openDemo({ SIGNALBOX_DEMO_PROGRAM: join(inject('programFolder'), 'main.js') });
}

/** The demo that files of a run share: they read what it holds, and change only what they have made themselves. */
export function sharedDemo(): Promise<SharedDemo> {
  return askBroker<SharedDemo>('demo');
}
