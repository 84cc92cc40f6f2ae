import type { Load } from '../charts/telemetry-data.ts';

const hours = 6;
const spanSeconds = hours * 3600;
export const spansPerTrace = 10;

const frontends = ['frontend', 'mobile-gateway'];
const middle = 'checkout cart search account recommendation'.split(' ');
const back = 'payment product-catalog shipping currency inventory pricing ledger email quote fraud-detection'.split(
  ' ',
);

function pick(values: readonly string[], salt: number): string {
  const list = values.map((value) => `'${value}'`).join(',');
  return `[${list}][1 + toUInt32(${values.length} * pow(cityHash64(t, ${salt}) / 18446744073709551616., 1.6))]`;
}

function uniform(salt: number): string {
  return `(cityHash64(number, ${salt}) / 18446744073709551616.)`;
}

/** What each span of a trace is, by its place in it: service, kind, place of the parent, name. */
const service = `multiIf(i < 3, front, i < 7, mid, rear)`;
const kind = `['Server','Internal','Client','Server','Internal','Client','Client','Server','Client','Producer'][i + 1]`;
const parent = `[0, 0, 1, 2, 3, 4, 4, 6, 7, 7][i + 1]`;
const route = `concat('/api/', ${service}, '/', toString(op))`;
const spanName = `multiIf(kind = 'Server', concat('GET ', ${route}), i = 5, concat('SELECT ', mid, '_', toString(op)),
  i = 8, 'GET', i = 9, 'orders publish', kind = 'Client', concat('call ', toString(op)), concat('render ', toString(op)))`;
const attributes = `multiIf(
  kind = 'Server', map('http.request.method', 'GET', 'http.route', ${route}, 'http.response.status_code', if(err, '500', '200'),
    'url.path', concat(${route}, '?', toString(number)), 'user_agent.original', 'bench/1.0', 'network.protocol.version', '1.1'),
  i = 5, map('db.system.name', 'postgresql', 'db.namespace', mid, 'db.query.text', concat('SELECT * FROM ', mid, ' WHERE id = ', toString(number)),
    'server.address', 'postgres.internal', 'server.port', '5432'),
  i = 8, map('db.system', 'redis', 'db.statement', concat('GET key:', toString(number)), 'net.peer.name', 'redis.internal', 'net.peer.port', '6379'),
  i = 9, map('messaging.system', 'kafka', 'messaging.destination.name', 'orders', 'messaging.operation.type', 'publish',
    'messaging.message.id', toString(number)),
  kind = 'Client', map('http.request.method', 'GET', 'url.full', concat('http://', if(i = 2, mid, rear), ':8080/', toString(number)),
    'server.address', if(i = 2, mid, rear), 'server.port', '8080', 'http.response.status_code', if(err, '500', '200')),
  map('thread.name', concat('worker-', toString(op)), 'code.function.name', 'render'))`;
const resource = `map('service.name', svc, 'service.version', '1.4', 'deployment.environment.name', 'production',
  'k8s.namespace.name', 'shop', 'k8s.pod.name', concat(svc, '-', toString(t % 12)), 'host.name', concat('host-', toString(t % 20)),
  'telemetry.sdk.language', 'nodejs')`;

/**
 * Traces of ten spans through three of seventeen services, with a database, a cache and a topic that send no spans: half
 * of the spans are of clients and producers, a fifth is internal.
 */
export function traceLoads(database: string, millions: number, endSeconds: number): Load[] {
  const rows = Math.round(millions * 1e6);
  const startSeconds = endSeconds - spanSeconds;
  const statement = (first: number, count: number) => `INSERT INTO ${database}.otel_traces
    (Timestamp, TraceId, SpanId, ParentSpanId, SpanName, SpanKind, ServiceName, ResourceAttributes, ScopeName, SpanAttributes, Duration, StatusCode)
    WITH intDiv(number, ${spansPerTrace}) AS t, toUInt8(number % ${spansPerTrace}) AS i, ${pick(frontends, 1)} AS front, ${pick(middle, 2)} AS mid,
      ${pick(back, 3)} AS rear, toUInt32(10 * pow(cityHash64(t, 4) / 18446744073709551616., 1.8)) AS op, ${uniform(5)} < 0.02 AS err,
      ${service} AS svc, ${kind} AS kind
    SELECT fromUnixTimestamp64Nano(toInt64((${startSeconds} + t / ${rows / spansPerTrace} * ${spanSeconds}) * 1e9) + i * 1000000), lower(hex(sipHash128(t))),
      lower(hex(cityHash64(number, 6))), if(i = 0, '', lower(hex(cityHash64(t * ${spansPerTrace} + ${parent}, 6)))), ${spanName}, kind, svc,
      ${resource}, concat('shop.', svc), ${attributes}, toUInt64(1e6 * exp(4 - i / 3 + ${uniform(7)})), if(err, 'Error', 'Unset')
    FROM numbers(${first}, ${count})`;
  return [{ table: 'otel_traces', rows, statement }];
}
