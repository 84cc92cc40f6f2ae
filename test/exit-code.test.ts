import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

it('what tests load leaves the exit code of their process alone', () => {
  const root = resolve(import.meta.dirname, '..');
  const file = join(root, 'test/support/postgres-server.ts');
  const script = `await import(${JSON.stringify(file)}); process.exitCode = 3;`;
  const argv = ['--import', 'tsx', '--input-type=module', '-e', script];
  expect(spawnSync(process.execPath, argv, { cwd: root, encoding: 'utf8' })).toMatchObject({ status: 3, stderr: '' });
});
