/** Twenty charts as people make them; the sources are filled in by kind. */
export interface ChartRequest {
  id: string;
  what: string;
  source: 'log' | 'trace' | 'metric';
  hours: number;
  granularity: string;
  series: readonly Record<string, unknown>[];
  /** How far a value may be from the statement's, relative to it; absent: nothing but the last digits. */
  tolerance?: number;
}

const count = (where = '', extra: object = {}) => ({ aggFn: 'count', where, groupBy: [] as string[], ...extra });

export const chartRequests: readonly ChartRequest[] = [
  { id: 'R01', what: 'log count per minute, 24 h', source: 'log', hours: 24, granularity: '1m', series: [count()] },
  {
    id: 'R02',
    what: 'count by service, 24 h',
    source: 'log',
    hours: 24,
    granularity: '1h',
    series: [count('', { groupBy: ['ServiceName'] })],
  },
  { id: 'R03', what: 'one word', source: 'log', hours: 24, granularity: '5m', series: [count('timeout')] },
  {
    id: 'R04',
    what: 'quoted phrase',
    source: 'log',
    hours: 24,
    granularity: '5m',
    series: [count('"connection refused"')],
  },
  {
    id: 'R05',
    what: 'attribute = value',
    source: 'log',
    hours: 24,
    granularity: '5m',
    series: [count('LogAttributes.http.status_code:"503"')],
  },
  {
    id: 'R06',
    what: 'wildcard inside the body',
    source: 'log',
    hours: 24,
    granularity: '5m',
    series: [count('*declin*')],
  },
  {
    id: 'R07',
    what: 'numeric range on an attribute',
    source: 'log',
    hours: 24,
    granularity: '5m',
    series: [count('LogAttributes.http.duration_ms:>500')],
  },
  {
    id: 'R08',
    what: 'p95 duration by span name',
    source: 'trace',
    hours: 24,
    granularity: '1h',
    series: [{ aggFn: 'quantile', level: 0.95, field: 'Duration', where: '', groupBy: ['SpanName'] }],
    tolerance: 0.05,
  },
  {
    id: 'R09',
    what: 'distinct traces by service',
    source: 'log',
    hours: 24,
    granularity: '1h',
    series: [{ aggFn: 'count_distinct', field: 'TraceId', where: '', groupBy: ['ServiceName'] }],
  },
  {
    id: 'R10',
    what: 'gauge avg by service',
    source: 'metric',
    hours: 24,
    granularity: '5m',
    series: [
      {
        aggFn: 'avg',
        where: '',
        groupBy: ['ServiceName'],
        metricName: 'system.cpu.utilization',
        metricDataType: 'gauge',
      },
    ],
  },
  {
    id: 'R11',
    what: 'counter increase by service',
    source: 'metric',
    hours: 24,
    granularity: '5m',
    series: [
      { aggFn: 'sum', where: '', groupBy: ['ServiceName'], metricName: 'http.server.requests', metricDataType: 'sum' },
    ],
  },
  {
    id: 'R12',
    what: 'histogram p95',
    source: 'metric',
    hours: 24,
    granularity: '5m',
    series: [
      {
        aggFn: 'quantile',
        level: 0.95,
        where: '',
        groupBy: [],
        metricName: 'http.server.request.duration',
        metricDataType: 'histogram',
      },
    ],
  },
  {
    id: 'R13',
    what: 'by user id (many groups)',
    source: 'log',
    hours: 24,
    granularity: '1h',
    series: [count('', { groupBy: ["LogAttributes['user.id']"] })],
  },
  {
    id: 'R14',
    what: '7 days by severity',
    source: 'log',
    hours: 168,
    granularity: '1h',
    series: [count('', { groupBy: ['SeverityText'] })],
  },
  {
    id: 'R15',
    what: 'last 5 minutes by service',
    source: 'log',
    hours: 1 / 12,
    granularity: '30s',
    series: [count('', { groupBy: ['ServiceName'] })],
  },
  {
    id: 'R16',
    what: 'SQL where: severity and attribute',
    source: 'log',
    hours: 24,
    granularity: '15m',
    series: [
      count("SeverityText = 'error' AND LogAttributes['http.status_code'] = '500'", {
        whereLanguage: 'sql',
        groupBy: ['ServiceName'],
      }),
    ],
  },
  {
    id: 'R17',
    what: 'avg of a numeric attribute',
    source: 'log',
    hours: 24,
    granularity: '1h',
    series: [{ aggFn: 'avg', field: "LogAttributes['http.duration_ms']", where: '', groupBy: ['ServiceName'] }],
  },
  {
    id: 'R18',
    what: 'five series of one source',
    source: 'log',
    hours: 24,
    granularity: '15m',
    series: [count(), ...['error', 'warn', 'info', 'debug'].map((severity) => count(`SeverityText:"${severity}"`))],
  },
  {
    id: 'R19',
    what: 'errors and all spans by service, 7 d',
    source: 'trace',
    hours: 168,
    granularity: '1h',
    series: [count('StatusCode:"Error"', { groupBy: ['ServiceName'] }), count('', { groupBy: ['ServiceName'] })],
  },
  {
    id: 'R20',
    what: 'boolean filter, by pod',
    source: 'log',
    hours: 24,
    granularity: '1h',
    series: [count('ServiceName:"checkout" -SeverityText:"info"', { groupBy: ["ResourceAttributes['k8s.pod.name']"] })],
  },
];
