import type { Writable } from 'node:stream';
import { StartError } from './start-error.ts';

/** Standard output as a log: its reader may disappear, which must not stop the program or its start silently. */
export class StandardOutput {
  readonly #stdout: Writable;
  #broken = false;

  constructor(stdout: Writable, stderr: Writable) {
    this.#stdout = stdout;
    // Without listeners, the write after the reader has gone would end the process.
    stderr.on('error', () => undefined);
    stdout.on('error', () => {
      if (!this.#broken) stderr.write('Standard output is closed; log lines after this are lost.\n');
      this.#broken = true;
    });
  }

  get isBroken(): boolean {
    return this.#broken;
  }

  write(text: string): void {
    if (!this.#broken) this.#stdout.write(text);
  }

  /** Resolves when everything written so far has been read. @throws {StartError} if there is no reader */
  async confirm(): Promise<void> {
    await new Promise<void>((resolve) => this.#stdout.write('', () => resolve()));
    if (this.#broken) throw new StartError('Standard output is closed: the program cannot print its addresses.');
  }
}
