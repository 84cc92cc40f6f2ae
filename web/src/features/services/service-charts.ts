import type { MetricNameRecord } from '../../../../src/contract/completion.ts';
import type { Service } from '../../../../src/contract/services.ts';
import type { MetricSource, TraceSource } from '../../../../src/contract/source.ts';

export interface NamedChart {
  name: string;
  config: object;
}

export const sqlText = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** Conditions in SQL on the spans that measure services: all of them, and those that failed, where the source knows. */
export function spanConditions(source: TraceSource, services: string, basis: Service['basis']) {
  const { spanKindExpression, parentSpanIdExpression, statusCodeExpression } = source;
  const kinds =
    "'Server', 'SERVER', 'server', 'SPAN_KIND_SERVER', 'Consumer', 'CONSUMER', 'consumer', 'SPAN_KIND_CONSUMER'";
  const measured = {
    entry: ` AND ${spanKindExpression} IN (${kinds})`,
    root: ` AND ${parentSpanIdExpression} = ''`,
    all: '',
  };
  const where = `${services}${measured[basis]}`;
  const failed = statusCodeExpression
    ? `${where} AND ${statusCodeExpression} IN ('Error', 'ERROR', 'error', 'STATUS_CODE_ERROR')`
    : undefined;
  return { where, failed };
}

/** Requests, errors and durations over time, of the spans that measure the service. */
export function spanCharts(source: TraceSource, service: string, basis: Service['basis']): NamedChart[] {
  const name = `${source.serviceNameExpression ?? ''} = ${sqlText(service)}`;
  const { where, failed } = spanConditions(source, name, basis);
  const count = { aggFn: 'count', where, whereLanguage: 'sql' };
  const duration = (level: number, alias: string) => ({
    ...{ aggFn: 'quantile', level, valueExpression: source.durationExpression, where, whereLanguage: 'sql', alias },
  });
  const line = { displayType: 'line', sourceId: source.id };
  return [
    { name: 'Requests', config: { ...line, displayType: 'stacked_bar', select: [{ ...count, alias: 'requests' }] } },
    ...(failed
      ? [
          {
            name: 'Errors',
            config: {
              ...line,
              displayType: 'stacked_bar',
              select: [{ ...count, where: failed, alias: 'error' }],
            },
          },
        ]
      : []),
    {
      name: 'Durations',
      config: { ...line, select: [duration(0.5, 'p50'), duration(0.95, 'p95'), duration(0.99, 'p99')] },
    },
  ];
}

/** Metrics of processes, runtimes, pods and hosts that say how busy a service is, the first of each line that exists. */
const wanted: readonly { name: string; aggFn: string; metrics: readonly string[] }[] = [
  {
    name: 'CPU',
    aggFn: 'avg',
    metrics: [
      'process.cpu.utilization',
      'jvm.cpu.recent_utilization',
      'k8s.pod.cpu.usage',
      'container.cpu.usage',
      'system.cpu.utilization',
    ],
  },
  {
    name: 'Memory',
    aggFn: 'sum',
    metrics: [
      'process.memory.usage',
      'jvm.memory.used',
      'v8js.memory.heap.used',
      'k8s.pod.memory.usage',
      'container.memory.usage',
      'system.memory.usage',
    ],
  },
  { name: 'Event loop delay', aggFn: 'max', metrics: ['nodejs.eventloop.delay.p99', 'nodejs.eventloop.delay.max'] },
  { name: 'Threads', aggFn: 'sum', metrics: ['jvm.thread.count', 'process.thread.count', 'process.threads'] },
  { name: 'Goroutines', aggFn: 'sum', metrics: ['go.goroutine.count', 'process.runtime.go.goroutines'] },
  { name: 'Connections', aggFn: 'sum', metrics: ['db.client.connection.count', 'db.client.connections.usage'] },
];

/** Charts of the service's own metrics, of those that the source has. */
export function metricCharts(source: MetricSource, known: readonly MetricNameRecord[], service: string): NamedChart[] {
  const kinds = new Map(known.map(({ name, type }) => [name, type]));
  const where = `${source.serviceNameExpression || 'ServiceName'} = ${sqlText(service)}`;
  return wanted.flatMap(({ name, aggFn, metrics }) => {
    const metric = metrics.find((each) => kinds.get(each) === 'gauge' || kinds.get(each) === 'sum');
    if (metric === undefined) return [];
    const item = {
      aggFn,
      metricName: metric,
      metricType: kinds.get(metric),
      valueExpression: 'Value',
      where,
      whereLanguage: 'sql',
    };
    return [{ name: `${name} (${metric})`, config: { displayType: 'line', sourceId: source.id, select: [item] } }];
  });
}
