// `npm run interop`: published clients against the program. `npm run interop -- cluster`: the program, and its suites,
// against the ClickHouse cluster that the tool in SIGNALBOX_TEST_CLUSTER_TOOL runs; `-- processes`: several processes over
// such a cluster and a PostgreSQL, killed one after the other. Both write to docs/reliability.md.
import { ensureBuilt, ensureInstalled, run } from './ensure-ready.mjs';

ensureInstalled();
const [first, ...rest] = process.argv.slice(2);
if (first === 'cluster' || first === 'processes') {
  ensureBuilt();
  run('node', ['--import', 'tsx', `scripts/${first}/run.ts`, ...rest]);
} else {
  run('node', [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--config',
    'vitest.interop.config.ts',
    ...process.argv.slice(2),
  ]);
}
