import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';

/** Runs a command of the program with `--json` on a data folder, also beside a running server. */
export async function runCommand(dataDir: string, argv: readonly string[]): Promise<ReturnType<typeof JSON.parse>> {
  const main = join(inject('programFolder'), 'main.js');
  const env = { PATH: process.env.PATH, SIGNALBOX_DATA_DIR: dataDir };
  const { stdout } = await promisify(execFile)(process.execPath, [main, ...argv, '--json'], { env });
  return JSON.parse(stdout);
}
