// `npm run compile -- request.json [log|trace|metric]`: how the body of a `POST /charts/series` becomes SQL, step by
// step, over the tables that the compiler's own tests use. Source ids are free: all series read one source.
import { readFileSync } from 'node:fs';
import { explainChart } from '../src/query/explain-chart.ts';
import { testGuards, testLogs, testMetrics, testTraces } from '../src/query/testing.ts';
import { toScans } from '../src/resources/charts/reading/to-scans.ts';
import { readChartRequest } from '../src/resources/charts/request/read-chart-request.ts';

const schemas = { log: testLogs, trace: testTraces, metric: testMetrics };
const [file, kind = 'log'] = process.argv.slice(2);
if (file === undefined || !(kind in schemas)) {
  console.error('usage: npm run compile -- request.json [log|trace|metric]');
  process.exit(2);
}

try {
  const definition = readChartRequest(JSON.parse(readFileSync(file, 'utf8')));
  const sources = new Map(definition.series.map(({ sourceId }) => [sourceId, { id: sourceId, name: kind, kind }]));
  for (const scan of toScans(definition, sources)) {
    console.log(`# statement over series ${scan.seriesIndexes.join(', ')}`);
    for (const { title, text } of explainChart(scan.query, schemas[kind], testGuards)) {
      console.log(`\n## ${title}\n${text}`);
    }
  }
} catch (error) {
  console.error(error.publicText ?? error.message);
  process.exit(1);
}
