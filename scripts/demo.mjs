// `npm run demo`: the program in a folder that is thrown away, with a shop that never sleeps.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createAlerts } from './demo/alerts.mjs';
import { demoProvisioning, ingestionKey } from './demo/dashboard.mjs';
import { exportRequests, OtlpSender } from './demo/otlp.mjs';
import { hourMs, pastOf } from './demo/past.mjs';
import { startProgram } from './demo/program.mjs';
import { startReceiver } from './demo/receiver.mjs';
import { Shop } from './demo/shop.mjs';
import { messageLine, welcome } from './demo/welcome.mjs';
import { ensureBuilt, ensureInstalled, root } from './ensure-ready.mjs';

const secondMs = 1000;
const alertWindowMs = 300 * secondMs;
const dayMs = 24 * hourMs;
/** SIGNALBOX_DEMO_DAYS: how much past to write beside the last hour. SIGNALBOX_DEMO_PROGRAM: another build, for tests. */
const { SIGNALBOX_DEMO_DAYS: days = '0', SIGNALBOX_DEMO_PROGRAM: otherProgram, ...environment } = process.env;

if (!otherProgram) {
  ensureInstalled();
  ensureBuilt();
}
const mainFile = otherProgram ?? join(root, 'dist/main.js');
const folder = mkdtempSync(join(tmpdir(), 'signalbox-demo-'));
const cleanups = [() => rmSync(folder, { recursive: true, force: true })];
let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void leave(0));

try {
  await run();
} catch (error) {
  if (!stopping) console.error(error instanceof Error ? error.message : error);
  await leave(1);
}

async function run() {
  const startMs = Date.now();
  const receiver = await startReceiver((text) => console.log(messageLine(text)));
  cleanups.push(receiver.close);
  const settings = settingsOf(receiver.url);
  const program = startProgram(mainFile, settings);
  cleanups.push(program.stop);
  // While the program starts.
  // Windows of alerts begin at whole five minutes of the clock: so does what happens in the shop.
  const windowMs = Math.floor(startMs / alertWindowMs) * alertWindowMs;
  const firstMs = windowMs - hourMs - Number(days) * dayMs;
  const shop = new Shop({ startMs: windowMs, firstMs });
  const past = Array.from(pastOf({ shop, firstMs, startMs }), exportRequests);
  const demoAlert = pathToFileURL(join(dirname(mainFile), 'demo-alert.js')).href;
  const [addresses, { makePastAlerts }] = await Promise.all([program.ready, import(demoAlert)]);
  void program.exited.then((code) => leave(code || 1));
  const sender = new OtlpSender(addresses.otlpHttp, ingestionKey);
  for (const requests of past) await sender.send(requests);
  const dashboard = await createAlerts({
    api: addresses.api,
    environment: settings,
    makePastAlerts,
    madeAtMs: windowMs - hourMs,
  });
  console.log(welcome(addresses, { dashboardId: dashboard.id, folder }));
  await keepOpen({ shop, sender, fromMs: startMs });
}

function settingsOf(receiverUrl) {
  const provisioning = join(folder, 'provisioning.json');
  writeFileSync(provisioning, JSON.stringify(demoProvisioning(receiverUrl)));
  return {
    SIGNALBOX_ALERT_DELAY_MS: '2000',
    SIGNALBOX_SELF_TELEMETRY: '0',
    ...environment,
    SIGNALBOX_DATA_DIR: join(folder, 'data'),
    SIGNALBOX_PROVISIONING: provisioning,
    SIGNALBOX_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
  };
}

async function keepOpen({ shop, sender, fromMs }) {
  let playedMs = fromMs;
  while (!stopping) {
    const toMs = Date.now();
    await sender.send(exportRequests(shop.play({ fromMs: playedMs, toMs, everyMs: 2 * secondMs })));
    playedMs = toMs;
    await new Promise((done) => setTimeout(done, 5 * secondMs));
  }
}

async function leave(code) {
  if (stopping) return;
  stopping = true;
  for (const cleanup of cleanups.reverse()) await cleanup();
  process.exit(code);
}
