// `npm run compile -- request.json [log|trace|metric]`: how the body of a `POST /charts/series` becomes SQL: the trees and
// plans step by step, then the read plans as `explain: true` shows them, over tables like the program's own. Source ids are
// free: all series read one source.
import { readFileSync } from 'node:fs';
import { explainChart } from '../src/query/explain-chart.ts';
import { testGuards, testLogs, testMetrics, testTraces } from '../src/query/testing.ts';
import { planReads } from '../src/resources/charts/reading/plan-reads.ts';
import { prepareScan } from '../src/resources/charts/reading/prepared-scan.ts';
import { toScans } from '../src/resources/charts/reading/to-scans.ts';
import { readChartRequest } from '../src/resources/charts/request/read-chart-request.ts';

const projections = new Set(['minute_counts', 'hour_counts']);
const withProjections = (schema) => ({ ...schema, table: { ...schema.table, projections } });
const schemas = { log: withProjections(testLogs), trace: withProjections(testTraces), metric: testMetrics };
const [file, kind = 'log'] = process.argv.slice(2);
if (file === undefined || !(kind in schemas)) {
  console.error('usage: npm run compile -- request.json [log|trace|metric]');
  process.exit(2);
}

try {
  const schema = schemas[kind];
  const definition = readChartRequest(JSON.parse(readFileSync(file, 'utf8')));
  const sources = new Map(definition.series.map(({ sourceId }) => [sourceId, { id: sourceId, name: kind, kind }]));
  const scans = toScans(definition, sources).map((scan) =>
    prepareScan({ scan, source: sources.get(scan.sourceId), engine: undefined, schema, guards: testGuards }),
  );
  for (const { scan } of scans) {
    console.log(`# series ${scan.seriesIndexes.join(', ')}`);
    for (const { title, text } of explainChart(scan.query, schema)) console.log(`\n## ${title}\n${text}`);
  }
  console.log('\n# read plans');
  for (const plan of planReads(scans, { isWide: () => false })) {
    const { sql, params, techniques = [], settings } = plan.statement();
    const series = plan.scans.flatMap(({ scan }) => scan.seriesIndexes);
    const { mechanism, reason } = plan;
    console.log(
      `\n${JSON.stringify({ series, mechanism, reason, techniques, parameters: params, settings }, null, 2)}`,
    );
    console.log(sql);
  }
} catch (error) {
  console.error(error.publicText ?? error.message);
  process.exit(1);
}
