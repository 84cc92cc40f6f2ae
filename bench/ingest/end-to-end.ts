import { gzipSync } from 'node:zlib';
import { Pool } from 'undici';
import { startBenchEngine, untilMerged } from '../bench-engine.ts';
import { cpuMsOf, residentMb } from '../process-usage.ts';
import { ingestionKey, Program, withFolder } from '../program.ts';
import { median } from '../statistics.ts';
import type { RequestShape } from './otlp-requests.ts';

const recordsPerRequest = 1_000;
const requestsPerRound = 300;
const rounds = 3;
const connections = 16;
const hourMs = 3_600_000;

/** Records per CPU-second of the program and its engine together. */
export interface EndToEnd {
  /** Until the last response. */
  committed: number;
  /** Until the engine has no merge left to do. */
  merged: number;
  /** Of both processes, after the last round. */
  residentMb: number;
}

/** No two requests hold the same rows, as the program stores a repeated request only once. */
export function ingestEndToEnd(signal: string, encode: (shape: RequestShape) => Buffer): Promise<EndToEnd> {
  return withFolder(async (folder) => {
    const engine = await startBenchEngine(folder);
    const program = await Program.start(folder, { SIGNALBOX_CLICKHOUSE_URL: engine.url });
    const pids = [...program.pids, engine.pid];
    const committed: number[] = [];
    const merged: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      const bodies = bodiesOf(round, encode);
      const before = cpuMsOf(pids);
      await send(`${program.addresses.otlpHttp}/v1/${signal}`, bodies);
      const afterResponses = cpuMsOf(pids);
      await untilMerged(engine);
      if (round === 0) continue;
      committed.push(recordsPerCpuSecond(afterResponses - before));
      merged.push(recordsPerCpuSecond(cpuMsOf(pids) - before));
    }
    const figures = {
      committed: median(committed),
      merged: median(merged),
      residentMb: pids.reduce((sum, pid) => sum + residentMb(pid), 0),
    };
    await program.stop();
    await engine.stop();
    return figures;
  });
}

function recordsPerCpuSecond(spentMs: number): number {
  return (requestsPerRound * recordsPerRequest) / (spentMs / 1000);
}

function bodiesOf(round: number, encode: (shape: RequestShape) => Buffer): Buffer[] {
  return Array.from({ length: requestsPerRound }, (_, index) => {
    const request = round * requestsPerRound + index;
    const startMs = Date.now() - hourMs + request * 1_000;
    const shape = { records: recordsPerRequest, first: request * recordsPerRequest, pod: request % 50, startMs };
    return gzipSync(encode(shape), { level: 1 });
  });
}

/** A request that gets a retryable response is sent again, as exporters do. */
async function send(url: string, bodies: readonly Buffer[]): Promise<void> {
  const { origin, pathname: path } = new URL(url);
  const pool = new Pool(origin, { connections });
  const headers = { authorization: ingestionKey, 'content-type': 'application/x-protobuf', 'content-encoding': 'gzip' };
  const left = bodies.values();
  const worker = async () => {
    for (const body of left) {
      for (let status = 0; status !== 200; ) {
        const response = await pool.request({ method: 'POST', path, headers, body });
        await response.body.dump();
        status = response.statusCode;
        if (![200, 429, 503].includes(status)) throw new Error(`${path}: ${status}`);
      }
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  await pool.close();
}
