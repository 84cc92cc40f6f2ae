import type { Workers } from './workers.ts';

/** Runs tasks where they are ordered, without another thread; for tests and for commands that serve nobody else. */
export const inlineWorkers: Workers = {
  run: async (task, input) => task.run(input),
};
