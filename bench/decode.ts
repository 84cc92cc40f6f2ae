/** Decode + encode of OTLP logs on one core: `npx tsx bench/decode.ts`. Prints records per CPU second. */
import oracle from 'otlp-transformer-oracle/build/src/generated/root.js';
import { LogDecoder } from '../src/collector/logs/log-decoder.ts';

const recordsPerRequest = 1000;
const request = oracle.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;

function text(value: string) {
  return { stringValue: value };
}

function sampleRequest(): Buffer {
  const logRecords = Array.from({ length: recordsPerRequest }, (_, index) => ({
    timeUnixNano: 1_767_225_600_000_000_000 + index * 1_000_000,
    observedTimeUnixNano: 1_767_225_600_000_000_000,
    severityNumber: 9,
    severityText: index % 20 === 0 ? 'ERROR' : 'INFO',
    body: text(
      `GET /api/v1/users/${index * 7919} took ${index % 400} ms for session ${index.toString(16).padStart(12, 'f')}`,
    ),
    attributes: [
      { key: 'http.method', value: text('GET') },
      { key: 'http.route', value: text('/api/v1/users/{id}') },
      { key: 'http.status_code', value: { intValue: 200 + (index % 5) * 100 } },
      { key: 'http.duration_ms', value: { doubleValue: index * 0.37 } },
      { key: 'user.id', value: text(`user-${index % 5000}`) },
      { key: 'net.peer.ip', value: text(`10.0.${index % 256}.${(index * 3) % 256}`) },
      { key: 'thread.name', value: text(`worker-${index % 16}`) },
      { key: 'feature.enabled', value: { boolValue: index % 2 === 0 } },
    ],
    traceId: Buffer.from(index.toString(16).padStart(32, 'a'), 'hex'),
    spanId: Buffer.from(index.toString(16).padStart(16, 'b'), 'hex'),
    flags: 1,
  }));
  const attributes = ['service.name', 'host.name', 'k8s.pod.name', 'k8s.namespace.name', 'deployment.environment.name'];
  return Buffer.from(
    request
      .encode({
        resourceLogs: [
          {
            resource: {
              attributes: attributes.map((key) => ({ key, value: text(`${key}-value`) })),
              droppedAttributesCount: 0,
            },
            scopeLogs: [{ scope: { name: 'bench' }, logRecords }],
          },
        ],
      })
      .finish(),
  );
}

/** Median of five rounds, in records per CPU second. */
function measure(name: string, run: () => void): number {
  for (let warm = 0; warm < 200; warm++) run();
  const rates = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    const turns = 200;
    for (let turn = 0; turn < turns; turn++) run();
    const used = process.cpuUsage(before);
    return (turns * recordsPerRequest) / ((used.user + used.system) / 1e6);
  }).sort((a, b) => a - b);
  const median = rates[2] ?? 0;
  console.log(`${name.padEnd(44)} ${Math.round(median / 1000)} k records/CPU-s`);
  return median;
}

const payload = sampleRequest();
const decoder = new LogDecoder();
console.log(`${recordsPerRequest} log records, ${payload.length} bytes`);
const own = measure('protobuf → Native block', () => decoder.decode(payload, 0));
const baseline = measure('protobufjs decode alone', () => request.decode(payload));
console.log(`ratio ${(own / baseline).toFixed(2)}`);
