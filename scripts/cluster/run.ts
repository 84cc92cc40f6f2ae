import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { withFigures } from '../attack/report.ts';
import { onCluster } from './on-cluster.ts';
import { type Phase, strikeAll } from './phases.ts';
import { clusterReport, isFlawless } from './report.ts';
import type { TestCluster } from './test-cluster.ts';

const root = resolve(import.meta.dirname, '../..');
const page = join(root, 'docs/reliability.md');
const { values: options } = parseArgs({
  options: {
    /** Only faults whose name has this part; then nothing is written. */
    fault: { type: 'string' },
    suites: { type: 'boolean', default: true },
    faults: { type: 'boolean', default: true },
  },
  allowNegative: true,
});

/** The number of tests that passed. Three nodes: what was written can be read immediately, as node 1 asks no second replica. */
function runSuites({ urls, name }: TestCluster): { passed: number; failed: number } {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-suites-'));
  const report = join(folder, 'report.json');
  const env = { SIGNALBOX_TEST_CLICKHOUSE_URL: urls.join(), SIGNALBOX_TEST_CLICKHOUSE_CLUSTER: name };
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  spawnSync('node', ['node_modules/vitest/vitest.mjs', 'run', '--project', 'server', ...reporters], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  const { numPassedTests, numTotalTests, numPendingTests, success } = existsSync(report)
    ? JSON.parse(readFileSync(report, 'utf8'))
    : { numPassedTests: 0, numTotalTests: 1, numPendingTests: 0, success: false };
  rmSync(folder, { recursive: true, force: true });
  const failed = numTotalTests - numPassedTests - numPendingTests;
  return { passed: numPassedTests, failed: success ? failed : Math.max(1, failed) };
}

const suites = options.suites ? await onCluster(3, async (cluster) => runSuites(cluster)) : undefined;
const phases: Phase[] = options.faults
  ? ((await onCluster(4, (cluster) => strikeAll(cluster, options.fault))) ?? [])
  : [];
if (suites || phases.length > 0) {
  const report = clusterReport(suites, phases);
  console.log(report);
  const isWhole = suites !== undefined && options.faults && options.fault === undefined;
  if (isWhole) writeFileSync(page, withFigures(readFileSync(page, 'utf8'), 'cluster', report));
  process.exitCode = (suites?.failed ?? 0) === 0 && phases.every(isFlawless) ? 0 : 1;
}
