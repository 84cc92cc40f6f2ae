import type { Load } from '../charts/telemetry-data.ts';

const spansOfTrace = 10;
const serviceCount = 17;
const hourSeconds = 3_600;
export const spanHours = 24;

/** By the place of a span in its trace: where its parent is, which of the trace's services it belongs to, its kind. */
const parents = [-1, 0, 1, 2, 2, 0, 5, 6, 6, 0];
const parties = [0, 0, 1, 1, 1, 0, 2, 2, 2, 0];
const kinds = [
  'Server',
  'Client',
  'Server',
  'Internal',
  'Client',
  'Client',
  'Server',
  'Internal',
  'Client',
  'Producer',
];
/** Of clients whose calls do not arrive. */
const systems = [
  "map('db.system', 'postgresql', 'db.name', 'shop')",
  "map('db.system', 'redis', 'server.address', 'cache')",
];

/**
 * Traces of ten spans through three of seventeen services each, evenly over a day that ends at `endSeconds`: half of the
 * spans are of clients and producers, a fifth are internal. Every value is a hash of the row's number.
 */
export function traceLoad(database: string, rows: number, endSeconds: number): Load {
  const seconds = spanHours * hourSeconds;
  const list = (items: readonly (string | number)[]) => `[${items.join(',')}]`;
  const texts = (items: readonly string[]) => list(items.map((item) => `'${item}'`));
  const at = (items: string) => `${items}[place + 1]`;
  const statement = (first: number, count: number) => `INSERT INTO ${database}.otel_traces
    (Timestamp, TraceId, SpanId, ParentSpanId, SpanName, SpanKind, ServiceName, ResourceAttributes, SpanAttributes, Duration, StatusCode)
    WITH intDiv(number, ${spansOfTrace}) AS trace, number % ${spansOfTrace} AS place,
      ${at(list(parents))} AS above, ${at(texts(kinds))} AS kind,
      cityHash64(trace, ${at(list(parties))}) % ${serviceCount} AS si, concat('service-', toString(si)) AS svc,
      cityHash64(number, 5) % 8 AS op
    SELECT fromUnixTimestamp64Nano(toInt64((${endSeconds - seconds} + number / ${rows} * ${seconds} + place * 0.002) * 1e9)),
      lower(hex(sipHash128(trace))), lower(hex(cityHash64(number, 23))),
      if(above < 0, '', lower(hex(cityHash64(trace * ${spansOfTrace} + above, 23)))),
      concat(kind, ' /', svc, '/', toString(op)), kind, svc,
      map('service.name', svc, 'service.version', '1.4', 'k8s.pod.name', concat(svc, '-', toString(cityHash64(number, 6) % 40)), 'host.name', concat('host-', toString(cityHash64(number, 6) % 64))),
      multiIf(place IN (4, 8), ${list(systems)}[1 + op % 2], place = 9, map('messaging.system', 'kafka', 'messaging.destination.name', 'orders'),
        map('http.request.method', 'GET', 'http.route', concat('/', svc, '/', toString(op)), 'server.address', concat('10.0.0.', toString(op)), 'http.response.status_code', '200')),
      toUInt64(1e6 * (1 + cityHash64(number, 7) % 1000 / 10)), if(cityHash64(number, 8) % 50 = 0, 'Error', 'Unset')
    FROM numbers(${first}, ${count})`;
  return { table: 'otel_traces', rows, statement };
}
