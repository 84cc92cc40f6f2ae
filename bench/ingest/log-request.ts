import oracle from 'otlp-transformer-oracle/build/src/generated/root.js';

interface MessageType {
  encode(message: object): { finish(): Uint8Array };
  decode(bytes: Uint8Array): object;
}
interface GeneratedRoot {
  opentelemetry: { proto: { collector: { logs: { v1: { ExportLogsServiceRequest: MessageType } } } } };
}

// The package types its generated code as an opaque root.
const { v1 } = (oracle as unknown as GeneratedRoot).opentelemetry.proto.collector.logs;
const LogsRequest = v1.ExportLogsServiceRequest;

const text = (value: string) => ({ stringValue: value });

/** An OTLP export request in protobuf: log records of about 350 bytes with eight attributes, from one of 50 pods. */
export function logRequest(records: number, pod: number, startMs: number): Buffer {
  const resource = {
    'service.name': `service-${pod % 10}`,
    'service.version': '1.4.2',
    'host.name': `host-${pod % 7}`,
    'k8s.pod.name': `service-${pod % 10}-${pod}`,
    'k8s.namespace.name': 'shop',
    'deployment.environment.name': 'production',
    'telemetry.sdk.language': 'nodejs',
  };
  const attributes = Object.entries(resource).map(([key, value]) => ({ key, value: text(value) }));
  const logRecords = Array.from({ length: records }, (_, index) => logRecord(index, startMs));
  const request = {
    resourceLogs: [
      { resource: { attributes, droppedAttributesCount: 0 }, scopeLogs: [{ scope: { name: 'bench' }, logRecords }] },
    ],
  };
  return Buffer.from(LogsRequest.encode(request).finish());
}

/** The figure to compare with: a generated decoder, without making rows. */
export function decodeWithProtobufjs(bytes: Buffer): void {
  LogsRequest.decode(bytes);
}

function logRecord(index: number, startMs: number) {
  const failed = index % 20 === 0;
  return {
    timeUnixNano: (startMs + index) * 1_000_000,
    observedTimeUnixNano: (startMs + index) * 1_000_000,
    severityNumber: failed ? 17 : 9,
    severityText: failed ? 'error' : 'info',
    body: text(
      `GET /api/v1/users/${index * 7919} took ${index % 400} ms for session ${index.toString(16).padStart(12, 'f')}`,
    ),
    attributes: [
      { key: 'http.method', value: text('GET') },
      { key: 'http.route', value: text('/api/v1/users/{id}') },
      { key: 'http.status_code', value: { intValue: failed ? 500 : 200 } },
      { key: 'http.duration_ms', value: { doubleValue: index * 0.37 } },
      { key: 'user.id', value: text(`user-${(index * 31) % 5000}`) },
      { key: 'net.peer.ip', value: text(`10.0.${index % 256}.${(index * 3) % 256}`) },
      { key: 'thread.name', value: text(`worker-${index % 16}`) },
      { key: 'feature.enabled', value: { boolValue: index % 2 === 0 } },
    ],
    traceId: Buffer.from(index.toString(16).padStart(32, 'a'), 'hex'),
    spanId: Buffer.from(index.toString(16).padStart(16, 'b'), 'hex'),
    flags: 1,
  };
}
