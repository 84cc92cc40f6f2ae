import { type Profiler, Session } from 'node:inspector';

/**
 * Counts how much the collector's code does: how often each of its blocks of statements is entered, as V8 counts it for
 * coverage. Unlike time, it is the same on every machine.
 */
export class WorkCounter {
  readonly #session = new Session();

  constructor() {
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  count(run: () => void): number {
    this.#take();
    run();
    return this.#take();
  }

  stop(): void {
    this.#session.post('Profiler.stopPreciseCoverage');
    this.#session.disconnect();
  }

  /** What was entered since the last time. In this thread, the answer is there when `post` returns. */
  #take(): number {
    let entered = 0;
    this.#session.post('Profiler.takePreciseCoverage', (error, { result }) => {
      if (error) throw error;
      for (const script of result) if (isCollector(script)) entered += sumOf(script);
    });
    return entered;
  }
}

function isCollector({ url }: Profiler.ScriptCoverage): boolean {
  return url.includes('/src/collector/') && !url.includes('/testing/') && !url.includes('.test.');
}

function sumOf({ functions }: Profiler.ScriptCoverage): number {
  let sum = 0;
  for (const { ranges } of functions) for (const { count } of ranges) sum += count;
  return sum;
}
