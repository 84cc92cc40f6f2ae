import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { benchAblation } from './ablation/ablation-bench.ts';
import { benchAlerts } from './alerts/alerts-bench.ts';
import { benchCharts } from './charts/charts-bench.ts';
import { benchDashboards } from './dashboards/dashboards-bench.ts';
import { benchDrawing } from './drawing/drawing-bench.ts';
import { benchGrowth, largeMillions, smallMillions } from './growth/growth-bench.ts';
import { benchIngest } from './ingest/ingest-bench.ts';
import { benchIsolation } from './isolation/isolation-bench.ts';
import { benchPipes } from './pipes/pipes-bench.ts';
import { benchQuestions } from './questions/questions-bench.ts';
import { type Row, table } from './report.ts';
import { benchService } from './service/service-bench.ts';
import { benchStart } from './start-bench.ts';
import { benchTiles } from './tiles/tiles-bench.ts';

/**
 * `npm run bench [-- <section>… --scale=0.75 --data=<folder>]`. Without names every section but those run by hand runs,
 * and `results.md` is written. `--scale` is the size of the charts' data; `--data` keeps the data of `charts` and `tiles` for the next run; `--only`
 * picks charts.
 */
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { scale: { type: 'string', default: '0.1' }, data: { type: 'string' }, only: { type: 'string' } },
});
const scale = Number(options.scale);
if (!(scale > 0)) throw new Error('--scale must be a number above 0');

interface Section {
  title: string;
  note: string;
  run: () => Promise<Row[]>;
  /** Its data take long to write, and much space. */
  byHand?: boolean;
}

const sections: Record<string, Section> = {
  start: { title: 'Start', note: 'Whole process, wall clock; median of five.', run: benchStart },
  dashboards: {
    title: 'Dashboards API',
    note: 'Sixteen connections on loopback, CPU of the server process, five rounds alternating with the bound: bare `node:http` that stringifies (GET) or parses and stringifies (PUT) the same document.',
    run: benchDashboards,
  },
  ingest: {
    title: 'Ingest',
    note: 'OTLP/HTTP protobuf with gzip, 1,000 records a request, acknowledged after the commit; CPU of the program and its engine child together.',
    run: benchIngest,
  },
  charts: {
    title: 'Charts',
    note: `Scale ${scale}: ${(16 * scale).toFixed(1)} M logs, ${(8 * scale).toFixed(1)} M spans, ${(6.4 * scale).toFixed(2)} M metric points over eight days ending now. CPU of program and engine per request over the API, bucket cache off; the bound is the best hand-written statement for the same answer on the tables of the OpenTelemetry exporter, engine CPU only. Ratio = bound / measured; warm: every chart has run before, so that the requested attributes have columns; both alternate; the answers were compared.`,
    run: () => benchCharts({ scale, dataDir: options.data, only: options.only?.split(',') }),
  },
  service: {
    title: 'Service',
    note: 'What the program adds: translating a filter to SQL, and a chart over the API compared with its statement sent to the engine by a bare keep-alive client; CPU of all processes except the client.',
    run: benchService,
  },
  isolation: {
    title: 'Isolation',
    note: `Scale ${scale} of the charts' logs. The same small chart, never cached, alone and beside a continuously repeated scan of seven days by many groups and 10,000 records a second of ingestion; wall clock, both alternating.`,
    run: () => benchIsolation(scale),
  },
  alerts: {
    title: 'Alerts',
    note: 'Alerts with one-minute windows that are due together on one log source with 10,000 rows a minute, embedded stores, no alert fires: claimed, read, evaluated and recorded; CPU of the process and its engine together, ratio = bound / measured where the bound is one statement and one transaction each.',
    run: benchAlerts,
  },
  tiles: {
    title: 'Tiles',
    note: `Scale ${scale}, as above. CPU of program and engine (of statements by hand: engine only); medians of five rounds, both alternating; bucket cache off except where a window slides.`,
    run: () => benchTiles({ scale, dataDir: options.data }),
  },
  ablation: {
    title: 'Ablation',
    note: `Scale ${scale}, as above. Each read mechanism on the charts that it is for: measured = with it, bound = without it, ratio = its gain. CPU of the engine only, for the statements that would run; medians of seven rounds, both alternating.`,
    run: () => benchAblation({ scale, dataDir: options.data }),
  },
  growth: {
    title: 'Growth',
    note: `${largeMillions} M logs and a tenth as many spans over eight days ending now, against ${smallMillions} M; bucket cache and promoted attributes off. CPU of program and engine per request over the API; medians of five. Ratio = measured / bound, with ${largeMillions / smallMillions} times as many rows.`,
    run: () => benchGrowth(options.data),
    byHand: true,
  },
  questions: {
    title: 'Questions',
    note: 'Patterns, differences and services over 10 M logs of eight days and 10 M spans of one day, in traces of ten spans through three of seventeen services each. CPU of program and engine per request over the API, medians of five; promoted attributes off. Statements in the last row: CPU of the engine, medians of three, both alternating.',
    run: () => benchQuestions(options.data),
    byHand: true,
  },
  pipes: {
    title: 'Pipes',
    note: '1.2 million rows of about 200 bytes, until they are committed, one lane; CPU of the program and the engine, not of the source; medians of three rounds, both alternating, into tables of the same definition, whose rows were compared. Kafka is a protocol double of one broker.',
    run: benchPipes,
  },
  drawing: {
    title: 'Drawing',
    note: 'The built pages in headless Chromium without a GPU, 1440 × 900, over the demo with seven days of telemetry; medians of seven. Wall clock from the arrival of the response until the last change within a tile is painted; or CPU of the page’s main thread until the page is idle again (receiving the response, script, layout, painting of canvases, and everything that follows). New points = the refresh of a visible chart. First paint and first chart: wall clock from the beginning of the navigation, with everything that the program reads meanwhile. Thirty minutes of refreshes: the clock of the page jumps from one to the next, and what is kept is counted after garbage collections.',
    run: benchDrawing,
  },
};

const unknown = positionals.find((name) => !(name in sections));
if (unknown !== undefined)
  throw new Error(`no such section: ${unknown}; there are ${Object.keys(sections).join(', ')}`);
const parts: string[] = [];
for (const [name, section] of Object.entries(sections)) {
  if (positionals.length > 0 ? !positionals.includes(name) : section.byHand) continue;
  console.log(section.title);
  const text = table(section.title, section.note, await section.run());
  console.log(text);
  parts.push(text);
}

const [cpu] = cpus();
const heading = `# Bench results\n\nNode ${process.version}, ${cpus().length} × ${cpu?.model.trim()}, ${new Date().toISOString().slice(0, 10)}. Trust the ratios: both sides ran at the same time on the same machine.\n`;
if (positionals.length === 0) writeFileSync(join(import.meta.dirname, 'results.md'), `${heading}\n${parts.join('\n')}`);
