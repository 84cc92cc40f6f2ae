/**
 * A synthetic shop of 24 services over eight days that end now: skewed services, pods and users, a daily wave, message
 * templates with random ids, 7 % warnings, 4.5 % errors. Every value is a hash of the row's number: each run makes the
 * same rows, only their dates move.
 */
export interface Load {
  table: string;
  rows: number;
  /** The statement for rows `[first, first + count)`. */
  statement: (first: number, count: number) => string;
}

const days = 8;
const spanSeconds = days * 86_400;

/** Loads for `scale` times 16 M logs, 8 M spans, 4 M gauge, 2 M sum and 0.4 M histogram points, ending at `endSeconds`. */
export function shopLoads(database: string, scale: number, endSeconds: number): Load[] {
  const startSeconds = endSeconds - spanSeconds;
  const rows = (millions: number) => Math.round(millions * 1e6 * scale);
  return [
    logs(database, rows(16), startSeconds),
    spans(database, rows(8), startSeconds),
    ...gauges(database, rows(4), startSeconds),
    ...sums(database, rows(2), startSeconds),
    ...histograms(database, rows(0.4), startSeconds),
  ];
}

/** Loads of logs, and of a tenth as many spans. */
export function logLoads(database: string, millions: number, endSeconds: number): Load[] {
  const startSeconds = endSeconds - spanSeconds;
  return [logs(database, millions * 1e6, startSeconds), spans(database, millions * 1e5, startSeconds)];
}

const serviceNames =
  'frontend checkout cart payment product-catalog recommendation shipping currency ad email quote accounting fraud-detection image-provider load-generator search inventory auth billing notification gateway session reporting scheduler'.split(
    ' ',
  );
const services = array(serviceNames);

function array(values: readonly string[]): string {
  return `[${values.map((value) => `'${value}'`).join(',')}]`;
}

/** A uniform number in [0, 1) that depends on the row and on `salt`. */
function uniform(salt: number): string {
  return `(cityHash64(number, ${salt}) / 18446744073709551616.)`;
}

/** Rows spread over the days with a wave of one day's length. */
function eventTime(rows: number, startSeconds: number): string {
  const elapsed = `(number / ${rows}) * ${spanSeconds}`;
  return `fromUnixTimestamp64Nano(toInt64((${startSeconds} + ${elapsed} - 6875 * sin(${elapsed} * 2 * pi() / 86400)) * 1e9))`;
}

const service = `toUInt32(24 * pow(${uniform(1)}, 2.2)) AS si, ${services}[si + 1] AS svc, toUInt32(80 * pow(${uniform(4)}, 1.5)) AS pod`;

const resource = `map('service.name', svc, 'service.version', concat('1.', toString(si % 7)),
  'deployment.environment.name', if(pod % 10 < 8, 'production', 'staging'), 'k8s.namespace.name', concat('ns-', toString(si % 6)),
  'k8s.pod.name', concat(svc, '-', lower(hex(toUInt32(cityHash64(si, pod)))), '-', toString(pod)),
  'k8s.node.name', concat('node-', toString((pod * 7 + si) % 64)), 'k8s.deployment.name', svc, 'cloud.region', if(pod % 3 = 0, 'eu-west-1', 'us-east-1'),
  'host.name', concat('host-', toString((pod * 7 + si) % 64)), 'telemetry.sdk.language', ['nodejs','go','java','python'][si % 4 + 1])`;

const severity = `multiIf(${uniform(2)} < 0.86, 'info', ${uniform(2)} < 0.93, 'warn', ${uniform(2)} < 0.975, 'error', 'debug') AS sev`;

const messages = {
  info: [
    'request completed path',
    'cache hit for key',
    'order placed by',
    'payment authorized for',
    'session refreshed for',
    'stock reserved for',
  ],
  warn: [
    'slow query on statement',
    'retry of upstream call',
    'connection pool exhausted in',
    'deprecated field used by',
  ],
  error: [
    'card declined for transaction',
    'upstream request timeout after',
    'connection refused by redis node',
    'unhandled exception in handler',
  ],
};
const body = `concat(multiIf(sev = 'error', ${array(messages.error)}[1 + toUInt32(4 * ${uniform(3)})],
  sev = 'warn', ${array(messages.warn)}[1 + toUInt32(4 * ${uniform(3)})], ${array(messages.info)}[1 + toUInt32(6 * ${uniform(3)})]),
  ' ', lower(hex(toUInt32(cityHash64(number, 11)))), ' user ', toString(usr))`;

const durationMs = `toString(round(exp(3 + 2.4 * (${uniform(14)} + ${uniform(15)} + ${uniform(16)} - 1.5)), 2))`;

function logs(database: string, rows: number, startSeconds: number): Load {
  const statement = (first: number, count: number) => `INSERT INTO ${database}.otel_logs
    (Timestamp, TraceId, SpanId, SeverityText, SeverityNumber, ServiceName, Body, ResourceAttributes, ScopeName, LogAttributes)
    WITH ${service}, ${severity}, toUInt32(50000 * pow(${uniform(5)}, 3)) AS usr,
      multiIf(sev = 'error', ['500','503','504'][1 + toUInt32(3 * ${uniform(6)})], ${uniform(6)} < 0.95, '200', '404') AS status
    SELECT ${eventTime(rows, startSeconds)}, if(${uniform(7)} < 0.7, lower(hex(sipHash128(intDiv(number, 6)))), ''),
      if(${uniform(7)} < 0.7, lower(hex(cityHash64(number, 10))), ''), sev, multiIf(sev = 'info', 9, sev = 'warn', 13, sev = 'error', 17, 5),
      svc, ${body}, ${resource}, concat('shop.', svc),
      if(${uniform(12)} < 0.8, map('http.method', ['GET','POST','PUT','DELETE'][1 + toUInt32(4 * pow(${uniform(13)}, 2.5))],
        'http.route', concat('/api/', svc, '/', toString(cityHash64(number, 17) % 12)), 'http.status_code', status, 'http.duration_ms', ${durationMs},
        'user.id', concat('user-', toString(usr)), 'thread.name', concat('worker-', toString(pod % 16))),
        map('log.iostream', 'stderr', 'thread.name', concat('worker-', toString(pod % 16)), 'user.id', concat('user-', toString(usr))))
    FROM numbers(${first}, ${count})`;
  return { table: 'otel_logs', rows, statement };
}

function spans(database: string, rows: number, startSeconds: number): Load {
  const statement = (first: number, count: number) => `INSERT INTO ${database}.otel_traces
    (Timestamp, TraceId, SpanId, ParentSpanId, SpanName, SpanKind, ServiceName, ResourceAttributes, ScopeName, SpanAttributes, Duration, StatusCode)
    WITH ${service}, toUInt32(10 * pow(${uniform(21)}, 1.8)) AS op, ${uniform(22)} < 0.03 AS err
    SELECT ${eventTime(rows, startSeconds)}, lower(hex(sipHash128(intDiv(number, 8)))), lower(hex(cityHash64(number, 23))),
      if(number % 8 = 0, '', lower(hex(cityHash64(number - 1, 23)))), concat(['GET','POST','SELECT','publish'][1 + (si + op) % 4], ' /api/', svc, '/', toString(op)),
      ['Server','Client','Internal','Producer'][1 + op % 4], svc, ${resource}, concat('shop.', svc),
      map('http.request.method', ['GET','POST'][1 + op % 2], 'http.route', concat('/api/', svc, '/', toString(op)), 'http.response.status_code', if(err, '500', '200')),
      toUInt64(1e6 * exp(1 + op * 0.35 + 2.2 * (${uniform(24)} + ${uniform(25)} + ${uniform(26)} - 1.5)) * if(err, 3, 1)), if(err, 'Error', 'Unset')
    FROM numbers(${first}, ${count})`;
  return { table: 'otel_traces', rows, statement };
}

interface MetricShape {
  kind: 'gauge' | 'sum' | 'histogram';
  metricName: string;
  /** Attribute sets that report at each step. */
  sets: number;
  columns: string;
  values: string;
}

function metric(database: string, shape: MetricShape, rows: number, startSeconds: number): Load {
  const steps = Math.ceil(rows / shape.sets);
  const statement = (first: number, count: number) => `INSERT INTO ${database}.otel_metrics_${shape.kind}
    (ResourceAttributes, ServiceName, MetricName, Attributes, StartTimeUnix, TimeUnix, ${shape.columns})
    WITH number % ${shape.sets} AS st, intDiv(number, ${shape.sets}) AS step, st % 24 AS si, ${services}[si + 1] AS svc, toUInt32(cityHash64(st, 4) % 80) AS pod
    SELECT ${resource}, svc, '${shape.metricName}', map('endpoint', concat('/api/', toString(st % 9)), 'shard', toString(intDiv(st, 24))),
      toDateTime(${startSeconds - 60}), toDateTime(${startSeconds} + toUInt32(step * ${spanSeconds / steps})), ${shape.values}
    FROM numbers(${first}, ${count})`;
  return { table: `otel_metrics_${shape.kind}`, rows, statement };
}

function gauges(database: string, rows: number, startSeconds: number): Load[] {
  return ['system.cpu.utilization', 'process.memory.usage', 'queue.depth'].map((metricName) =>
    metric(
      database,
      {
        kind: 'gauge',
        metricName,
        sets: 96,
        columns: 'Value',
        values: `50 + 30 * sin(step / 100 + st) + 10 * ${uniform(31)}`,
      },
      Math.round(rows / 3),
      startSeconds,
    ),
  );
}

function sums(database: string, rows: number, startSeconds: number): Load[] {
  const values = `toFloat64((step % 900) * (1 + st % 7) * 10 + toUInt32(8 * ${uniform(32)})), 2, true`;
  return ['http.server.requests', 'messaging.publish.messages'].map((metricName) =>
    metric(
      database,
      { kind: 'sum', metricName, sets: 48, columns: 'Value, AggregationTemporality, IsMonotonic', values },
      Math.round(rows / 2),
      startSeconds,
    ),
  );
}

function histograms(database: string, rows: number, startSeconds: number): Load[] {
  const counts = `arrayMap(i -> toUInt64((step % 900) * (1 + st % 5) * greatest(1, 40 * exp(-pow(i - 5 - st % 3, 2) / 6))), range(15))`;
  const bounds = '[5, 10, 25, 50, 75, 100, 250, 500, 750, 1000, 2500, 5000, 7500, 10000]';
  const shape: MetricShape = {
    kind: 'histogram',
    metricName: 'http.server.request.duration',
    sets: 24,
    columns: 'Count, Sum, BucketCounts, ExplicitBounds, AggregationTemporality',
    values: `arraySum(${counts}), arraySum(${counts}) * 60., ${counts}, ${bounds}, 2`,
  };
  return [metric(database, shape, rows, startSeconds)];
}
