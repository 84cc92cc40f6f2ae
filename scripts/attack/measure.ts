import { fork } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { childrenOf, cpuMsOf, residentMb } from '../../bench/process-usage.ts';

export interface Usage {
  cpuS: number;
  /** The most that program and engine held together above what they held before, in megabytes (10^6). */
  extraMb: number;
  health: Latency;
  /** Of a bare server beside the program, requested likewise: the machine's own share. */
  bare: Latency;
}

export interface Latency {
  p99Ms: number;
  worstMs: number;
}

export interface Measured {
  pid: number;
  healthUrl: string;
  bareUrl: string;
}

/** What the program and its engine used while `work` ran, and how long /health took meanwhile. */
export async function measure<T>({ pid, healthUrl, bareUrl }: Measured, work: () => Promise<T>): Promise<[T, Usage]> {
  const pids = [pid, ...childrenOf(pid)];
  const beforeMb = pids.map(residentMb);
  for (const each of pids) forgetPeak(each);
  const cpuBefore = cpuMsOf(pids);
  const probes = [healthUrl, bareUrl].map((url) => new HealthProbe(url));
  await Promise.all(probes.map(({ ready }) => ready));
  const result = await work();
  await settle(pids);
  const [health = [], bare = []] = await Promise.all(probes.map((probe) => probe.stop()));
  const extraMb = pids.reduce((sum, each, index) => sum + Math.max(0, peakMb(each) - (beforeMb[index] ?? 0)), 0);
  const cpuS = (cpuMsOf(pids) - cpuBefore) / 1000;
  return [result, { cpuS, extraMb, health: summaryOf(health), bare: summaryOf(bare) }];
}

/** Waits until what the answer did not wait for is done too: two looks in a row with little work between them. */
async function settle(pids: readonly number[]): Promise<void> {
  const lookMs = 250;
  const looksMax = 240;
  for (let look = 0, quiet = 0, before = cpuMsOf(pids); look < looksMax && quiet < 2; look += 1) {
    await new Promise((done) => setTimeout(done, lookMs));
    const now = cpuMsOf(pids);
    quiet = now - before < lookMs / 4 ? quiet + 1 : 0;
    before = now;
  }
}

/** The kernel's peak of resident memory begins again. */
function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

function peakMb(pid: number): number {
  const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return (Number(line?.[1] ?? 0) * 1024) / 1e6;
}

function summaryOf(latencies: readonly number[]): Latency {
  const sorted = latencies.toSorted((one, other) => one - other);
  return { p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0, worstMs: sorted.at(-1) ?? 0 };
}

/** A bare server in a separate process. */
export async function startBareServer(): Promise<{ url: string; stop(): void }> {
  const child = fork(new URL('./bare-server.mjs', import.meta.url));
  const port = await new Promise<number>((done) =>
    child.once('message', (reported) => done((reported as { port: number }).port)),
  );
  return { url: `http://127.0.0.1:${port}/`, stop: () => child.disconnect() };
}

/** Requests /health every 20 ms from a separate thread, so that a busy attacker does not count as a slow answer. */
class HealthProbe {
  readonly ready: Promise<void>;
  readonly #worker: Worker;

  constructor(url: string) {
    this.#worker = new Worker(new URL('./health-probe.mjs', import.meta.url), { workerData: { url } });
    this.ready = new Promise((done) => this.#worker.once('message', () => done()));
  }

  async stop(): Promise<number[]> {
    const latencies = new Promise<number[]>((done) => this.#worker.once('message', done));
    this.#worker.postMessage('stop');
    const answered = await latencies;
    await this.#worker.terminate();
    return answered;
  }
}
