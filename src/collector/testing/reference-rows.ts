import type { Signal } from '../signal.ts';
import { arrivalNano } from './decoders.ts';
import { levels, type Plain } from './random-requests.ts';
import type { Row } from './read-native-block.ts';

// The mapping once more, slow and from plain objects, to compare the decoders with.

const lastTime = 4_294_967_295_999_999_999n;

type Reference = Record<string, Row[]>;

/** Rows by table that a request should become; `rejected` counts the others, `changed` those stored otherwise than sent. */
export function referenceRows(signal: Signal, request: Plain): Found {
  const names = levels[signal];
  const found: Found = { tables: {}, rejected: 0, changed: 0 };
  for (const resourceGroup of list(request[names.resources])) {
    for (const scopeGroup of list(resourceGroup[names.scopes])) {
      const origin = originOf(signal, resourceGroup, scopeGroup);
      for (const record of list(scopeGroup[names.records])) addRecord[signal](found, record, origin);
    }
  }
  return found;
}

interface Found {
  tables: Reference;
  rejected: number;
  changed: number;
}

const addRecord: Readonly<Record<Signal, (found: Found, record: Plain, origin: Row) => void>> = {
  logs: (found, record, origin) => add(found, 'otel_logs', logRow(record), origin, hasBrokenId(record)),
  traces: (found, record, origin) => add(found, 'otel_traces', spanRow(record), origin, endsTooEarly(record)),
  metrics: addMetric,
};

function add(found: Found, table: string, row: Row | undefined, origin: Row, isChanged = false): void {
  if (!row) {
    found.rejected++;
    return;
  }
  found.tables[table] ??= [];
  if (isChanged) found.changed++;
  found.tables[table].push({ ...row, ...origin });
}

function originOf(signal: Signal, resourceGroup: Plain, scopeGroup: Plain): Row {
  const attributes = list(plain(resourceGroup.resource).attributes);
  const scope = plain(scopeGroup.scope);
  const service = attributes.filter(({ key }) => key === 'service.name').at(0);
  const common = {
    ServiceName: anyText(service?.value),
    ResourceAttributes: pairs(attributes),
    ScopeName: scope.name ?? '',
    ScopeVersion: scope.version ?? '',
  };
  if (signal === 'traces') return common;
  const more = {
    ...common,
    ResourceSchemaUrl: resourceGroup.schemaUrl ?? '',
    ScopeSchemaUrl: scopeGroup.schemaUrl ?? '',
    ScopeAttributes: pairs(list(scope.attributes)),
  };
  return signal === 'logs' ? more : { ...more, ScopeDroppedAttrCount: scope.droppedAttributesCount ?? 0 };
}

function hasBrokenId({ traceId, spanId }: Plain): boolean {
  const isBroken = (id: unknown, size: number) => id instanceof Buffer && id.length !== 0 && id.length !== size;
  return isBroken(traceId, 16) || isBroken(spanId, 8);
}

function endsTooEarly({ startTimeUnixNano, endTimeUnixNano }: Plain): boolean {
  return nano(endTimeUnixNano) !== 0n && nano(endTimeUnixNano) < nano(startTimeUnixNano);
}

function logRow(record: Plain): Row | undefined {
  const time = nano(record.timeUnixNano) || nano(record.observedTimeUnixNano) || arrivalNano;
  if (time > lastTime) return undefined;
  return {
    Timestamp: time,
    TraceId: hexId(record.traceId, 16),
    SpanId: hexId(record.spanId, 8),
    TraceFlags: Number(record.flags ?? 0) % 256,
    ...severityRow(record),
    Body: anyText(record.body),
    LogAttributes: pairs(list(record.attributes)),
    EventName: record.eventName ?? '',
  };
}

const severityNames = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'];

/** Random texts are not severity words: only the text is derived from the number here. */
function severityRow({ severityText, severityNumber }: Plain): Row {
  const number = Number(severityNumber ?? 0);
  const word = severityNames[Math.ceil(number / 4) - 1] ?? '';
  return { SeverityText: severityText || word, SeverityNumber: number };
}

function spanRow(span: Plain): Row | undefined {
  const end = nano(span.endTimeUnixNano);
  const start = nano(span.startTimeUnixNano) || end || arrivalNano;
  const events = list(span.events);
  const links = list(span.links);
  const times = [start, end, ...events.map((event) => nano(event.timeUnixNano))];
  const parent = span.parentSpanId instanceof Buffer ? span.parentSpanId.length : 0;
  const ids = hexId(span.traceId, 16) !== '' && hexId(span.spanId, 8) !== '' && (parent === 0 || parent === 8);
  if (!ids || times.some((time) => time > lastTime)) return undefined;
  const status = plain(span.status);
  const kinds = ['Unspecified', 'Internal', 'Server', 'Client', 'Producer', 'Consumer'];
  return {
    Timestamp: start,
    TraceId: hexId(span.traceId, 16),
    SpanId: hexId(span.spanId, 8),
    ParentSpanId: hexId(span.parentSpanId, 8),
    TraceState: span.traceState ?? '',
    SpanName: span.name ?? '',
    SpanKind: kinds[Number(span.kind ?? 0)] ?? 'Unspecified',
    SpanAttributes: pairs(list(span.attributes)),
    Duration: end > start ? end - start : 0n,
    StatusCode: ['Unset', 'Ok', 'Error'][Number(status.code ?? 0)] ?? 'Unset',
    StatusMessage: status.message ?? '',
    'Events.Timestamp': events.map((event) => nano(event.timeUnixNano) || start),
    'Events.Name': events.map((event) => event.name ?? ''),
    'Events.Attributes': events.map((event) => pairs(list(event.attributes))),
    'Links.TraceId': links.map((link) => hexId(link.traceId, 16)),
    'Links.SpanId': links.map((link) => hexId(link.spanId, 8)),
    'Links.TraceState': links.map((link) => link.traceState ?? ''),
    'Links.Attributes': links.map((link) => pairs(list(link.attributes))),
  };
}

const metricKinds: Record<string, { table: string; row: (point: Plain, data: Plain) => Row | undefined }> = {
  gauge: { table: 'otel_metrics_gauge', row: numberRow },
  sum: {
    table: 'otel_metrics_sum',
    row: (point, data) => {
      const row = numberRow(point);
      return row && { ...row, ...temporality(data), IsMonotonic: data.isMonotonic ?? false };
    },
  },
  histogram: { table: 'otel_metrics_histogram', row: histogramRow },
  exponentialHistogram: { table: 'otel_metrics_exponential_histogram', row: exponentialRow },
  summary: { table: 'otel_metrics_summary', row: summaryRow },
};

function addMetric(found: Found, metric: Plain, origin: Row): void {
  const [kind] = Object.entries(metricKinds).filter(([name]) => name in metric);
  if (!kind) {
    found.rejected++;
    return;
  }
  const [name, { table, row }] = kind;
  const data = plain(metric[name]);
  if (!metric.name) {
    found.rejected += list(data.dataPoints).length;
    return;
  }
  const shared = {
    MetricName: metric.name ?? '',
    MetricDescription: metric.description ?? '',
    MetricUnit: metric.unit ?? '',
  };
  for (const point of list(data.dataPoints)) {
    const times = [point, ...list(point.exemplars)].flatMap((each) => [
      nano(each.timeUnixNano),
      nano(each.startTimeUnixNano),
    ]);
    const own = times.some((time) => time > lastTime) ? undefined : row(point, data);
    add(found, table, own && { ...pointRow(point), ...own, ...shared }, origin);
  }
}

function pointRow(point: Plain): Row {
  return {
    Attributes: pairs(list(point.attributes)),
    StartTimeUnix: nano(point.startTimeUnixNano),
    TimeUnix: nano(point.timeUnixNano) || arrivalNano,
    Flags: point.flags ?? 0,
  };
}

function numberRow(point: Plain): Row | undefined {
  if (!('asDouble' in point) && !('asInt' in point)) return undefined;
  return { Value: numberOf(point), ...exemplarRow(point) };
}

function histogramRow(point: Plain, data: Plain): Row | undefined {
  const counts = array(point.bucketCounts);
  const bounds = array(point.explicitBounds);
  if (counts.length !== (counts.length === 0 ? bounds.length : bounds.length + 1)) return undefined;
  return {
    ...countAndOptionalSum(point),
    ...minAndMax(point),
    BucketCounts: counts,
    ExplicitBounds: bounds,
    ...exemplarRow(point),
    ...temporality(data),
  };
}

function exponentialRow(point: Plain, data: Plain): Row {
  const positive = plain(point.positive);
  const negative = plain(point.negative);
  return {
    ...countAndOptionalSum(point),
    ...minAndMax(point),
    Scale: point.scale ?? 0,
    ZeroCount: point.zeroCount ?? 0n,
    PositiveOffset: positive.offset ?? 0,
    PositiveBucketCounts: array(positive.bucketCounts),
    NegativeOffset: negative.offset ?? 0,
    NegativeBucketCounts: array(negative.bucketCounts),
    ...exemplarRow(point),
    ...temporality(data),
  };
}

function summaryRow(point: Plain): Row {
  const values = list(point.quantileValues);
  return {
    ...countAndSum(point),
    'ValueAtQuantiles.Quantile': values.map(({ quantile }) => quantile ?? 0),
    'ValueAtQuantiles.Value': values.map(({ value }) => value ?? 0),
  };
}

function exemplarRow(point: Plain): Row {
  const exemplars = list(point.exemplars);
  return {
    'Exemplars.FilteredAttributes': exemplars.map((exemplar) => pairs(list(exemplar.filteredAttributes))),
    'Exemplars.TimeUnix': exemplars.map((exemplar) => nano(exemplar.timeUnixNano)),
    'Exemplars.Value': exemplars.map(numberOf),
    'Exemplars.SpanId': exemplars.map((exemplar) => hexId(exemplar.spanId, 8)),
    'Exemplars.TraceId': exemplars.map((exemplar) => hexId(exemplar.traceId, 16)),
  };
}

/** Unknown is not zero. */
function countAndOptionalSum(point: Plain): Row {
  return { ...countAndSum(point), Sum: point.sum ?? Number.NaN };
}

function countAndSum(point: Plain): Row {
  return { Count: point.count ?? 0n, Sum: point.sum ?? 0 };
}

function minAndMax(point: Plain): Row {
  return { Min: point.min ?? 0, Max: point.max ?? 0 };
}

function temporality(data: Plain): Row {
  return { AggregationTemporality: data.aggregationTemporality ?? 0 };
}

function numberOf({ asDouble, asInt }: Plain): number {
  return Number(asDouble ?? asInt ?? 0);
}

/** Of several with one key the first counts; what is inside of maps and lists comes behind, by its path. */
function pairs(attributes: Plain[]): [unknown, string][] {
  const seen = new Map<unknown, string>();
  for (const { key, value } of attributes) if (!seen.has(key)) seen.set(key, anyText(value));
  const own = new Set(attributes.map(({ key }) => key));
  for (const { key, value } of attributes) {
    if (!own.delete(key)) continue;
    for (const [path, text] of inside(String(key), value, 0)) if (!seen.has(path)) seen.set(path, text);
  }
  return [...seen];
}

function inside(path: string, value: unknown, depth: number): [string, string][] {
  const [kind, content] = Object.entries(plain(value))[0] ?? [];
  const members = list(plain(content).values);
  if (depth === 8 || (kind !== 'arrayValue' && kind !== 'kvlistValue')) return [];
  const isMap = kind === 'kvlistValue';
  return members.flatMap((member, index): [string, string][] => {
    const own = `${path}.${isMap ? member.key : index}`;
    const inner = isMap ? plain(member.value) : member;
    const hasText = isMap && !('kvlistValue' in inner);
    return [...(hasText ? [[own, anyText(inner)] satisfies [string, string]] : []), ...inside(own, inner, depth + 1)];
  });
}

function anyText(value: unknown): string {
  const [[kind, content] = ['', undefined]] = Object.entries(plain(value));
  if (content instanceof Buffer) return content.toString('base64');
  if (kind === 'arrayValue' || kind === 'kvlistValue') return anyJson(value);
  return content === undefined ? '' : String(content);
}

function anyJson(value: unknown): string {
  const [[kind, content] = ['', undefined]] = Object.entries(plain(value));
  const items = list(plain(content).values);
  if (kind === '') return 'null';
  if (kind === 'arrayValue') return `[${items.map(anyJson)}]`;
  if (kind === 'kvlistValue') return `{${items.map((item) => `${JSON.stringify(item.key)}:${anyJson(item.value)}`)}}`;
  const bare = kind === 'boolValue' || kind === 'intValue' || Number.isFinite(content);
  return bare ? anyText(value) : JSON.stringify(anyText(value));
}

function hexId(value: unknown, size: number): string {
  if (!(value instanceof Buffer) || value.length !== size || value.every((byte) => byte === 0)) return '';
  return value.toString('hex');
}

function nano(value: unknown): bigint {
  return typeof value === 'bigint' ? value : 0n;
}

function plain(value: unknown): Plain {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function array(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function list(value: unknown): Plain[] {
  return array(value).map(plain);
}
