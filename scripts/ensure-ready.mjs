// Makes a fresh clone runnable: installs the packages and builds, only when that is needed, and says so.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** Installs from the lockfile unless node_modules holds exactly what it lists (npm's own record says so). */
export function ensureInstalled() {
  requireNode();
  if (installedMatchesLock()) return;
  console.error('Installing packages (about 1 GB with the telemetry engine; one to three minutes, once) …');
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error', '--progress=true']);
}

function installedMatchesLock() {
  const record = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(record)) return false;
  const { packages: installed } = JSON.parse(readFileSync(record, 'utf8'));
  const { packages: wanted } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(wanted).every(
    ([path, { version, optional }]) => path === '' || optional || installed[path]?.version === version,
  );
}

/** Builds when a source file is newer than the built program. */
export function ensureBuilt() {
  const built = join(root, 'dist/main.js');
  const builtMs = existsSync(built) ? statSync(built).mtimeMs : 0;
  if (newestMs(join(root, 'src')) < builtMs && newestMs(join(root, 'web')) < builtMs) return;
  console.error('Building …');
  run('node', ['scripts/build.mjs']);
}

function newestMs(folder) {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((newest, entry) => Math.max(newest, statSync(join(entry.parentPath ?? entry.path, entry.name)).mtimeMs), 0);
}

function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(`Signalbox needs Node.js 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(2);
}

export function run(command, args, env = {}) {
  const windows = process.platform === 'win32';
  const done = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    shell: windows,
    env: { ...process.env, ...env },
  });
  if (done.status !== 0) process.exit(done.status ?? 1);
}
