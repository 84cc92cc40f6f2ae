/** Shows how far a command has come. */
export interface Progress {
  /** `done` of `total` bytes or rows of a step; called often. */
  report(step: string, done: number, total: number): void;
}

/** A line for each tenth of a step, so that a log shows it as well as a terminal. */
export function progressLines(write: (line: string) => void): Progress {
  let last = '';
  return {
    report(step, done, total) {
      const percent = total === 0 ? 100 : Math.floor((done / total) * 10) * 10;
      const line = `${step}: ${percent} %`;
      if (line !== last) write(`${line}\n`);
      last = line;
    },
  };
}
