import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A published client that was made here, or why it can't be had. */
export type FoundTool = { kind: 'found'; file: string } | { kind: 'missing'; reason: string };

/** Outside of the repository, so that a clean clone does not build for minutes. */
export function cacheFolder(name: string): string {
  const folder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'signalbox-interop', name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Shown beside the skipped tests in the report. */
export const whyMissing = (tool: FoundTool) => (tool.kind === 'missing' ? ` (skipped: ${tool.reason})` : '');

/** Builds a Go package of this folder, gently; what has not changed is not built again. */
export async function buildGo(folder: string, packageName: string): Promise<FoundTool> {
  const file = join(cacheFolder('go'), packageName);
  try {
    const argv = ['go', 'build', '-p', '1', '-ldflags=-s -w', '-o', file, `./${packageName}`];
    await run('nice', ['-n', '19', ...argv], { cwd: join(import.meta.dirname, folder) });
    return { kind: 'found', file };
  } catch (error) {
    return { kind: 'missing', reason: `go can't build ${packageName}: ${lastLine(error)}` };
  }
}

/** A Python environment with these packages, made once. */
export async function pythonWith(name: string, requirements: readonly string[]): Promise<FoundTool> {
  const folder = cacheFolder(`python-${name}`);
  const file = join(folder, 'bin', 'python');
  try {
    if (!existsSync(file)) await run('python3', ['-m', 'venv', folder]);
    await run(file, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...requirements]);
    return { kind: 'found', file };
  } catch (error) {
    return { kind: 'missing', reason: `pip can't install ${requirements.join(', ')}: ${lastLine(error)}` };
  }
}

/** What a Rust project of this folder builds; what has not changed is not built again. */
export async function buildRust(folder: string): Promise<FoundTool> {
  const target = cacheFolder(folder);
  const manifest = join(import.meta.dirname, folder, 'Cargo.toml');
  try {
    const argv = ['cargo', 'build', '--quiet', '--locked', '--manifest-path', manifest, '--target-dir', target];
    await run('nice', ['-n', '19', ...argv]);
    return { kind: 'found', file: join(target, 'debug', folder) };
  } catch (error) {
    return { kind: 'missing', reason: `cargo can't build ${folder}: ${lastLine(error)}` };
  }
}

/** A Java machine for a source file of this folder, and what it is started with: the jars that the pom names. */
export async function javaWith(folder: string, source: string): Promise<{ tool: FoundTool; before: string[] }> {
  const jars = await jarsOf(folder);
  if (jars.kind === 'missing') return { tool: jars, before: [] };
  const file = join(import.meta.dirname, folder, source);
  return { tool: { kind: 'found', file: 'java' }, before: ['-cp', jars.file, file] };
}

/** The jars that the pom of this folder names, as a class path. */
export async function jarsOf(folder: string): Promise<FoundTool> {
  const classPathFile = join(cacheFolder(folder), 'class-path.txt');
  try {
    const argv = ['-q', '-B', '-f', join(import.meta.dirname, folder, 'pom.xml'), 'dependency:build-classpath'];
    await run('mvn', [...argv, `-Dmdep.outputFile=${classPathFile}`]);
    return { kind: 'found', file: readFileSync(classPathFile, 'utf8').trim() };
  } catch (error) {
    return { kind: 'missing', reason: `mvn can't fetch what ${folder} needs: ${lastLine(error)}` };
  }
}

export function lastLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.trim().split('\n').at(-1)?.trim() ?? '';
}
