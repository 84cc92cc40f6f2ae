import { LogDecoder } from '../src/collector/logs/log-decoder.ts';
import { decodeWithProtobufjs, logRequest } from './ingest/log-request.ts';
import { median } from './statistics.ts';

// Decode and encode of OTLP logs alone, for profiling: `npx tsx bench/decode.ts`. Prints records per CPU second.

const recordsPerRequest = 1_000;
const turns = 200;

function measure(name: string, run: () => void): number {
  for (let warm = 0; warm < turns; warm++) run();
  const rates = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    for (let turn = 0; turn < turns; turn++) run();
    const used = process.cpuUsage(before);
    return (turns * recordsPerRequest) / ((used.user + used.system) / 1e6);
  });
  const rate = median(rates);
  console.log(`${name.padEnd(28)} ${Math.round(rate / 1000)} k records/CPU-s`);
  return rate;
}

const payload = logRequest(recordsPerRequest, 1, Date.UTC(2026, 0, 1));
const decoder = new LogDecoder();
const own = measure('protobuf → Native block', () => decoder.decode(payload, 0));
const baseline = measure('protobufjs decode alone', () => decodeWithProtobufjs(payload));
console.log(`ratio ${(own / baseline).toFixed(2)}`);
