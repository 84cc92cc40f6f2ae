// `npm test`: install on the first run, run the whole suite, end with one plain line "N passed, N failed".
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureInstalled, root } from './ensure-ready.mjs';

ensureInstalled();
const folder = mkdtempSync(join(tmpdir(), 'signalbox-test-'));
const report = join(folder, 'report.json');
const args = [
  'node_modules/vitest/vitest.mjs',
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
];
const done = spawnSync('node', [...args, ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
const counts = readCounts();
rmSync(folder, { recursive: true, force: true });
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exit(done.status === 0 && counts.failed === 0 && counts.passed > 0 ? 0 : 1);

/** A suite that could not even be loaded counts as one failure. */
function readCounts() {
  try {
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'));
    const unloadable = testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
    return { passed: numPassedTests, failed: numFailedTests + unloadable.length };
  } catch {
    return { passed: 0, failed: 1 };
  }
}
