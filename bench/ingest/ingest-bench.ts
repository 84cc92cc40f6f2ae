import { gzipSync } from 'node:zlib';
import { Pool } from 'undici';
import { Arrival } from '../../src/collector/decode/arrival.ts';
import { LogDecoder } from '../../src/collector/logs/log-decoder.ts';
import { startBenchEngine } from '../bench-engine.ts';
import { cpuMs, cpuMsOf, residentMb } from '../process-usage.ts';
import { ingestionKey, Program, withFolder } from '../program.ts';
import type { Row } from '../report.ts';
import { median } from '../statistics.ts';
import { decodeWithProtobufjs, logRequest } from './log-request.ts';

const recordsPerRequest = 1_000;
const requestsPerRound = 300;
const rounds = 3;
const connections = 16;

/** OTLP logs over HTTP, protobuf and gzip, acknowledged when they are committed: records per CPU-second of all processes. */
export async function benchIngest(): Promise<Row[]> {
  const payloads = Array.from({ length: 50 }, (_, pod) => logRequest(recordsPerRequest, pod, Date.now() - 60_000));
  const decodeRate = decodeRecordsPerCpuSecond(payloads, (bytes) =>
    new LogDecoder().decode(bytes, new Arrival(Date.now())),
  );
  const protobufjsRate = decodeRecordsPerCpuSecond(payloads, decodeWithProtobufjs);
  const insertRate = await insertRecordsPerCpuSecond(payloads);
  const { rate, residentMbAfter } = await endToEnd(payloads);
  const bound = 1 / (1 / decodeRate + 1 / insertRate);
  return [
    {
      name: 'OTLP logs end to end',
      unit: 'records/CPU-s',
      subject: rate,
      bound,
      ratio: rate / bound,
      goal: '≥ 40,000; bound = 1 / (1/decode + 1/insert)',
    },
    {
      name: 'decode: OTLP → Native block',
      unit: 'records/CPU-s',
      subject: decodeRate,
      bound: protobufjsRate,
      ratio: decodeRate / protobufjsRate,
      goal: 'bound = protobufjs decode alone',
    },
    {
      name: 'insert of Native blocks, engine alone',
      unit: 'records/CPU-s',
      subject: insertRate,
      goal: 'for the bound',
    },
    { name: 'resident memory after ingest, both processes', unit: 'MB', subject: residentMbAfter, goal: '≤ 900' },
  ];
}

function decodeRecordsPerCpuSecond(payloads: readonly Buffer[], decode: (bytes: Buffer) => void): number {
  const rates = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    for (let turn = 0; turn < 4; turn++) payloads.forEach(decode);
    const used = process.cpuUsage(before);
    return (4 * payloads.length * recordsPerRequest) / ((used.user + used.system) / 1e6);
  });
  return median(rates);
}

function insertRecordsPerCpuSecond(payloads: readonly Buffer[]): Promise<number> {
  return withFolder(async (folder) => {
    const engine = await startBenchEngine(folder);
    await engine.databases.ensure('otel');
    const blocks = payloads
      .slice(0, 20)
      .map((bytes) => new LogDecoder().decode(bytes, new Arrival(Date.now())).blocks[0]?.bytes ?? Buffer.alloc(0));
    const batch = { database: 'otel', table: 'otel_logs', blocks } as const;
    const rates: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      const before = cpuMs(engine.pid);
      for (let turn = 0; turn < 10; turn++) await engine.client.insert({ ...batch, token: `bench-${round}-${turn}` });
      if (round > 0) rates.push((10 * blocks.length * recordsPerRequest) / ((cpuMs(engine.pid) - before) / 1000));
    }
    await engine.stop();
    return median(rates);
  });
}

function endToEnd(payloads: readonly Buffer[]): Promise<{ rate: number; residentMbAfter: number }> {
  return withFolder(async (folder) => {
    const bodies = payloads.map((bytes) => gzipSync(bytes, { level: 1 }));
    const program = await Program.start(folder);
    const rates: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      const before = cpuMsOf(program.pids);
      await send(program.addresses.otlpHttp, bodies);
      if (round > 0) rates.push((requestsPerRound * recordsPerRequest) / ((cpuMsOf(program.pids) - before) / 1000));
    }
    const residentMbAfter = program.pids.reduce((sum, pid) => sum + residentMb(pid), 0);
    await program.stop();
    return { rate: median(rates), residentMbAfter };
  });
}

/** Sends one round; a request that gets a retryable response is sent again, as exporters do. */
async function send(origin: string, bodies: readonly Buffer[]): Promise<void> {
  const pool = new Pool(origin, { connections });
  const headers = { authorization: ingestionKey, 'content-type': 'application/x-protobuf', 'content-encoding': 'gzip' };
  let next = 0;
  const worker = async () => {
    while (next < requestsPerRound) {
      const body = bodies[next++ % bodies.length] ?? Buffer.alloc(0);
      for (let status = 0; status !== 200; ) {
        const answer = await pool.request({ method: 'POST', path: '/v1/logs', headers, body });
        await answer.body.dump();
        status = answer.statusCode;
        if (![200, 429, 503].includes(status)) throw new Error(`/v1/logs: ${status}`);
      }
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  await pool.close();
}
