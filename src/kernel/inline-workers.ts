import type { Workers } from './workers.ts';

/** Runs tasks on the calling thread; for tests and for commands that serve no requests. */
export const inlineWorkers: Workers = {
  run: async (task, input) => task.run(input),
};
