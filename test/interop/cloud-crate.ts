import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from './interop-cache.ts';

const run = promisify(execFile);
const project = resolve(import.meta.dirname, 'rust-client');
const target = cacheFolder('rust-client');
const manifest = ['--quiet', '--locked', '--manifest-path', join(project, 'Cargo.toml')];

/** A first build compiles the crate and all that it needs: a quarter of an hour on a machine that has other work. */
export const crateBuildTimeoutMs = 2_700_000;

/** Why the published crate can't be had here: no cargo, or no registry; undefined when it is here. */
export async function whyCrateIsMissing(): Promise<string | undefined> {
  try {
    await run('cargo', ['fetch', ...manifest]);
    return undefined;
  } catch (error) {
    const lines = error instanceof Error ? error.message.trim().split('\n') : [String(error)];
    return `cargo can't fetch clickhouse-cloud-api: ${lines.at(-1)?.trim()}`;
  }
}

/** Builds the client from what was fetched and answers its file; throws what cargo said when it does not compile. */
export async function buildCrateClient(): Promise<string> {
  await run('cargo', ['build', '--offline', ...manifest, '--target-dir', target]);
  return join(target, 'debug', 'rust-client');
}

/** Runs the client and parses the one line that it prints; throws with its error text when it fails. */
export async function runCrateClient(file: string, argv: readonly string[]): Promise<ReturnType<typeof JSON.parse>> {
  const { stdout } = await run(file, argv);
  return JSON.parse(stdout);
}
