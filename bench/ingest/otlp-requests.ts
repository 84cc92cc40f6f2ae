import { encodeRequest } from '../../src/collector/testing/otlp-oracle.ts';

/** An export request in protobuf with `records` items of one pod; no two requests with another `first` share a row. */
export interface RequestShape {
  records: number;
  /** Number of its first record in the whole run. */
  first: number;
  pod: number;
  startMs: number;
}

/** Log records of about 350 bytes with eight attributes. */
export function logRequest(shape: RequestShape): Buffer {
  const request = {
    resourceLogs: [{ resource: resourceOf(shape.pod), scopeLogs: [scoped('logRecords', shape, logRecord)] }],
  };
  return encodeRequest('logs', request);
}

/** Spans of a web server with eight attributes, every fourth with an event. */
export function spanRequest(shape: RequestShape): Buffer {
  const request = { resourceSpans: [{ resource: resourceOf(shape.pod), scopeSpans: [scoped('spans', shape, span)] }] };
  return encodeRequest('traces', request);
}

/** Data points: two of three of a counter, the third of a gauge; no two of a request are of the same series. */
export function metricRequest({ records, first, pod, startMs }: RequestShape): Buffer {
  const points = Array.from({ length: records }, (_, index) => dataPoint(first, index, startMs));
  const counters = points.filter((_, index) => index % 3 < 2);
  const gauges = points.filter((_, index) => index % 3 === 2);
  const scopeMetrics = {
    scope: { name: 'bench' },
    metrics: [
      {
        name: 'http.server.requests',
        unit: '1',
        sum: { aggregationTemporality: 2, isMonotonic: true, dataPoints: counters },
      },
      { name: 'process.memory.usage', unit: 'By', gauge: { dataPoints: gauges } },
    ],
  };
  const request = { resourceMetrics: [{ resource: resourceOf(pod), scopeMetrics: [scopeMetrics] }] };
  return encodeRequest('metrics', request);
}

const text = (value: string) => ({ stringValue: value });

function resourceOf(pod: number) {
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
  return { attributes, droppedAttributesCount: 0 };
}

function scoped(
  field: 'logRecords' | 'spans',
  { records, first, startMs }: RequestShape,
  record: (index: number, timeMs: number) => object,
) {
  return {
    scope: { name: 'bench' },
    [field]: Array.from({ length: records }, (_, index) => record(first + index, startMs + index)),
  };
}

function logRecord(index: number, timeMs: number) {
  const failed = index % 20 === 0;
  return {
    timeUnixNano: timeMs * 1_000_000,
    observedTimeUnixNano: timeMs * 1_000_000,
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

function span(index: number, timeMs: number) {
  const failed = index % 50 === 0;
  return {
    traceId: Buffer.from((index >> 3).toString(16).padStart(32, 'a'), 'hex'),
    spanId: Buffer.from(index.toString(16).padStart(16, 'b'), 'hex'),
    parentSpanId: index % 8 === 0 ? Buffer.alloc(0) : Buffer.from((index & ~7).toString(16).padStart(16, 'b'), 'hex'),
    name: `GET /api/v1/resource-${index % 40}`,
    kind: 2,
    startTimeUnixNano: timeMs * 1_000_000,
    endTimeUnixNano: (timeMs + (index % 400)) * 1_000_000,
    status: failed ? { code: 2, message: 'upstream timed out' } : {},
    attributes: [
      { key: 'http.request.method', value: text('GET') },
      { key: 'http.route', value: text(`/api/v1/resource-${index % 40}`) },
      { key: 'http.response.status_code', value: { intValue: failed ? 500 : 200 } },
      { key: 'url.path', value: text(`/api/v1/resource-${index % 40}/${index * 7919}`) },
      { key: 'user.id', value: text(`user-${(index * 31) % 5000}`) },
      { key: 'client.address', value: text(`10.0.${index % 256}.${(index * 3) % 256}`) },
      { key: 'thread.name', value: text(`worker-${index % 16}`) },
      { key: 'cache.hit', value: { boolValue: index % 2 === 0 } },
    ],
    events: index % 4 === 0 ? [{ timeUnixNano: timeMs * 1_000_000, name: 'message', attributes: [] }] : [],
  };
}

function dataPoint(first: number, index: number, startMs: number) {
  return {
    startTimeUnixNano: (startMs - 3_600_000) * 1_000_000,
    timeUnixNano: startMs * 1_000_000,
    asDouble: first + index * 1.5,
    attributes: [
      { key: 'http.route', value: text(`/api/v1/resource-${index % 40}`) },
      { key: 'instance', value: text(`instance-${index}`) },
      { key: 'http.response.status_code', value: { intValue: index % 50 === 0 ? 500 : 200 } },
    ],
  };
}
