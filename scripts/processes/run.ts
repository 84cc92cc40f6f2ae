import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { withFigures } from '../attack/report.ts';
import { onCluster } from '../cluster/on-cluster.ts';
import { disturb } from './disturb.ts';
import { isFlawless, processesReport } from './report.ts';

const page = join(resolve(import.meta.dirname, '../..'), 'docs/reliability.md');
const wholeMinutes = 10;
const { values: options } = parseArgs({
  options: {
    /** Another length than ten minutes; then nothing is written. */
    minutes: { type: 'string', default: String(wholeMinutes) },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});

await onCluster(4, async (cluster) => {
  const minutes = Number(options.minutes);
  console.log(`seed ${options.seed}`);
  const outcome = await disturb(cluster, { minutes, seed: Number(options.seed) });
  const report = processesReport(outcome);
  console.log(report);
  for (const failure of outcome.failures) console.log(failure);
  if (minutes === wholeMinutes) writeFileSync(page, withFigures(readFileSync(page, 'utf8'), 'processes', report));
  process.exitCode = isFlawless(outcome) ? 0 : 1;
});
