import { Arrival } from '../../src/collector/decode/arrival.ts';
import { LogDecoder } from '../../src/collector/logs/log-decoder.ts';
import { decodeRequest } from '../../src/collector/testing/otlp-oracle.ts';
import { startBenchEngine, untilMerged } from '../bench-engine.ts';
import { cpuMs } from '../process-usage.ts';
import { withFolder } from '../program.ts';
import type { Row } from '../report.ts';
import { median } from '../statistics.ts';
import { ingestEndToEnd } from './end-to-end.ts';
import { logRequest, metricRequest, spanRequest } from './otlp-requests.ts';
import { logSizes } from './table-sizes.ts';

const recordsPerRequest = 1_000;
const insertsPerRound = 10;
const blocksPerInsert = 20;
const rounds = 3;

/** OTLP over HTTP, protobuf and gzip, acknowledged when it is committed: records per CPU-second of all processes. */
export async function benchIngest(): Promise<Row[]> {
  const decode = decodeRates();
  const insert = await insertRates();
  const logs = await ingestEndToEnd('logs', logRequest);
  const traces = await ingestEndToEnd('traces', spanRequest);
  const metrics = await ingestEndToEnd('metrics', metricRequest);
  const bound = 1 / (1 / decode.ours + 1 / insert.committed);
  return [
    {
      ...rate('OTLP logs end to end, until committed', logs.committed),
      bound,
      ratio: logs.committed / bound,
      goal: '≥ 40,000; bound = 1 / (1/decode + 1/insert)',
    },
    { ...rate('OTLP logs, merges included', logs.merged), goal: '≥ 32,000' },
    rate('OTLP spans end to end, until committed', traces.committed),
    rate('OTLP spans, merges included', traces.merged),
    rate('OTLP data points end to end, until committed', metrics.committed),
    rate('OTLP data points, merges included', metrics.merged),
    {
      ...rate('decode: OTLP logs → Native block', decode.ours),
      bound: decode.protobufjs,
      ratio: decode.ours / decode.protobufjs,
      goal: 'bound = protobufjs decode alone',
    },
    { ...rate('insert of Native blocks of logs, engine alone', insert.committed), goal: 'for the bound' },
    rate('insert of Native blocks of logs, merges included', insert.merged),
    {
      name: 'a log on disk, merged, against the exporter’s table',
      unit: 'bytes',
      subject: insert.bytesPerLog,
      bound: insert.exporterBytesPerLog,
      ratio: insert.bytesPerLog / insert.exporterBytesPerLog,
      goal: '≤ 0.8; ratio = measured / bound',
    },
    { name: 'resident memory after logs, both processes', unit: 'MB', subject: logs.residentMb, goal: '≤ 900' },
  ];
}

function rate(name: string, subject: number): Row {
  return { name, unit: 'records/CPU-s', subject, goal: '–' };
}

function decodeRates(): { ours: number; protobufjs: number } {
  const payloads = Array.from({ length: 50 }, (_, index) => logPayload(index));
  return {
    ours: decodeRate(payloads, (bytes) => new LogDecoder().decode(bytes, new Arrival(Date.now()))),
    protobufjs: decodeRate(payloads, (bytes) => void decodeRequest('logs', bytes)),
  };
}

function decodeRate(payloads: readonly Buffer[], decode: (bytes: Buffer) => void): number {
  const rates = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    for (let turn = 0; turn < 4; turn++) payloads.forEach(decode);
    const used = process.cpuUsage(before);
    return (4 * payloads.length * recordsPerRequest) / ((used.user + used.system) / 1e6);
  });
  return median(rates);
}

/** The first round is not measured: the engine's code pages and caches are cold. */
function insertRates() {
  return withFolder(async (folder) => {
    const engine = await startBenchEngine(folder);
    await engine.databases.ensure('otel');
    const committed: number[] = [];
    const merged: number[] = [];
    const records = insertsPerRound * blocksPerInsert * recordsPerRequest;
    for (let round = 0; round <= rounds; round++) {
      const inserts = Array.from({ length: insertsPerRound }, (_, insert) =>
        logBlocks((round * insertsPerRound + insert) * blocksPerInsert),
      );
      const before = cpuMs(engine.pid);
      for (const [insert, blocks] of inserts.entries()) {
        const token = `bench-${round}-${insert}`;
        await engine.client.insert({ database: 'otel', table: 'otel_logs', blocks, token });
      }
      const afterInserts = cpuMs(engine.pid);
      await untilMerged(engine);
      if (round === 0) continue;
      committed.push(records / ((afterInserts - before) / 1000));
      merged.push(records / ((cpuMs(engine.pid) - before) / 1000));
    }
    const sizes = await logSizes(engine);
    await engine.stop();
    return { committed: median(committed), merged: median(merged), ...sizes };
  });
}

function logBlocks(firstRequest: number): Uint8Array[] {
  return Array.from({ length: blocksPerInsert }, (_, index) => {
    const { blocks } = new LogDecoder().decode(logPayload(firstRequest + index), new Arrival(Date.now()));
    return blocks[0]?.bytes ?? Buffer.alloc(0);
  });
}

function logPayload(request: number): Buffer {
  const first = request * recordsPerRequest;
  return logRequest({
    records: recordsPerRequest,
    first,
    pod: request % 50,
    startMs: Date.now() - 3_600_000 + request,
  });
}
