import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { childrenOf, residentMb } from '../../bench/process-usage.ts';
import { withFigures } from '../attack/report.ts';
import { faults } from './faults.ts';
import { assess } from './outcome.ts';
import { soakReport } from './report.ts';
import { Sender } from './sender.ts';
import { SoakWorld } from './soak-world.ts';

const page = resolve(import.meta.dirname, '../../docs/reliability.md');
const { values: options } = parseArgs({
  options: { minutes: { type: 'string', default: '30' }, write: { type: 'boolean', default: false } },
});
const minutes = Math.min(120, Number(options.minutes));
const minuteMs = 60_000;
const batchEveryMs = 200;
const lookEveryMs = 5_000;
const faultEveryMs = 30_000;

const world = await SoakWorld.start();
let stopping = false;
process.once('SIGTERM', () => {
  stopping = true;
});

const startedMs = Date.now();
const endsMs = startedMs + minutes * minuteMs;
const sender = new Sender(world.program);
const memory: { program: number; engine: number }[] = [];
const struck = new Map<string, number>();
const running = () => !stopping && Date.now() < endsMs;
const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));
let dashboardsSaved = 0;
let reads = 0;

await Promise.all([sendAll(), toggleAll(), useAll(), strikeAll(), watchMemory()]);
const ranMinutes = (Date.now() - startedMs) / minuteMs;
console.log('waiting for what is still to be delivered …');
world.receiver.hanging = false;
world.disk.free();
await settled();
const outcome = await assess(world, sender, startedMs);
const name = await savedName();
const report = soakReport({
  ...{ minutes: ranMinutes, outcome, memory, struck, answers: sender.answers },
  ...{
    sent: sender.total,
    reads,
    dashboardsSaved,
    savedIsStored: name >= dashboardsSaved,
    diskIsOwn: world.disk.isOwn,
  },
});
await world.stop();
console.log(report);
if (options.write) writeFileSync(page, withFigures(readFileSync(page, 'utf8'), 'soak', report));
process.exitCode = outcome.lost + outcome.doubled + outcome.messagesDoubled + outcome.messagesMissing === 0 ? 0 : 1;

async function sendAll(): Promise<void> {
  while (running()) {
    await sender.sendOne();
    await pause(batchEveryMs);
  }
}

/** In every other minute: what fires then is over in the next. */
async function toggleAll(): Promise<void> {
  while (running()) {
    if (Math.floor(Date.now() / minuteMs) % 2 === 0) await sender.toggle();
    await pause(lookEveryMs);
  }
}

/** Reads and writes as people do; what fails during a fault is not counted. */
async function useAll(): Promise<void> {
  const { program, dashboardId } = world;
  const chart = { startTime: startedMs - minuteMs, granularity: '1m' };
  while (running()) {
    const name = String(dashboardsSaved + 1);
    await attempt(
      () => program.call('PUT', `/api/v2/dashboards/${dashboardId}`, { name }),
      () => {
        dashboardsSaved += 1;
      },
    );
    const { data } = (await attempt(() => program.call('GET', '/api/v2/sources'))) ?? { data: [] };
    const log = (data as { id: string; kind: string }[]).find(({ kind }) => kind === 'log');
    const series = [{ sourceId: log?.id, aggFn: 'count', where: '', groupBy: ['ServiceName'] }];
    await attempt(
      () => program.call('POST', '/api/v2/charts/series', { ...chart, endTime: Date.now(), series }),
      () => {
        reads += 1;
      },
    );
    await pause(1_000);
  }
}

async function attempt(work: () => Promise<unknown>, done = () => {}): Promise<{ data: unknown } | undefined> {
  try {
    const answer = (await work()) as { data: unknown };
    done();
    return answer;
  } catch {
    return undefined;
  }
}

async function strikeAll(): Promise<void> {
  for (let index = 0; running(); index += 1) {
    await pauseWhileRunning(faultEveryMs);
    const fault = faults[index % faults.length];
    if (!fault || !running()) return;
    console.log(`${Math.round((Date.now() - startedMs) / 1000)} s: ${fault.name}`);
    struck.set(fault.name, (struck.get(fault.name) ?? 0) + 1);
    fault.begin(world);
    await pauseWhileRunning(fault.lastsMs ?? 0);
    fault.end?.(world);
  }
}

async function pauseWhileRunning(ms: number): Promise<void> {
  for (const until = Date.now() + ms; running() && Date.now() < until; ) await pause(200);
}

async function watchMemory(): Promise<void> {
  const { pid } = world.program;
  while (running()) {
    const engine = childrenOf(pid).reduce((sum, child) => sum + residentOf(child), 0);
    memory.push({ program: residentOf(pid), engine });
    await pause(lookEveryMs);
  }
}

/** 0 when it has just ended. */
function residentOf(pid: number): number {
  try {
    return residentMb(pid);
  } catch {
    return 0;
  }
}

/** Until nothing new has come to the receiver for half a minute, and the program answers. */
async function settled(): Promise<void> {
  const quietMs = 30_000;
  let seen = -1;
  for (let look = 0; look < 10 && seen !== world.receiver.taken.size; look += 1) {
    seen = world.receiver.taken.size;
    await pause(quietMs);
  }
  for (let tries = 0; tries < 60; tries += 1) {
    if (await attempt(() => world.program.call('GET', '/api/v2/sources'))) return;
    await pause(1_000);
  }
}

async function savedName(): Promise<number> {
  const answer = await attempt(() => world.program.call('GET', `/api/v2/dashboards/${world.dashboardId}`));
  return Number((answer?.data as { name?: string })?.name);
}
