import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { inject } from 'vitest';

export interface CliRun {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command of the built program with these settings alone; kills it when what it shows matches `killAt`. */
export function runCli(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  killAt?: RegExp,
): Promise<CliRun> {
  const main = join(inject('programFolder'), 'main.js');
  const child = spawn(process.execPath, [main, ...argv], { env: { PATH: process.env.PATH, ...env } });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
    if (killAt?.test(stderr)) child.kill('SIGKILL');
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
}
