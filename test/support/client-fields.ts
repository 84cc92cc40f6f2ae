/**
 * Every field that the newest clients document for what they send (the cloud API's crate `clickhouse-cloud-api` 0.5.0,
 * the official Terraform provider, HyperDX's own API), with a value of its type, or one of each kind.
 */
type Fields = Record<string, readonly unknown[]>;

const numberFormat: Fields = {
  output: ['currency', 'percent', 'byte', 'time', 'number', 'data_rate', 'throughput', 'duration'],
  mantissa: [2],
  thousandSeparated: [true],
  average: [true],
  decimalBytes: [true],
  factor: [0.5],
  currencySymbol: ['€'],
  numericUnit: ['bytes_iec', 'ops'],
  unit: ['ms'],
};

const format = { output: 'number', mantissa: 1 };
const text = ['ServiceName'];
const flag = [true, false];
const language = ['sql', 'lucene'];
const color = ['chart-blue', 'chart-error'];

export const selectItem: Fields = {
  aggFn: ['avg', 'count_distinct', 'last_value', 'max', 'min', 'quantile', 'sum', 'any', 'none'],
  valueExpression: ['Duration'],
  alias: ['total'],
  level: [0.95],
  where: ["ServiceName = 'a'"],
  whereLanguage: language,
  metricName: ['requests'],
  metricType: ['sum', 'gauge', 'histogram', 'summary', 'exponential histogram'],
  periodAggFn: ['delta'],
  numberFormat: [format],
};

const stacked: Fields = {
  groupBy: text,
  asRatio: [false],
  alignDateRangeToGranularity: flag,
  fillNulls: flag,
  numberFormat: [format],
  seriesLimit: [5],
  formulas: [[{ expression: 'A * 2', alias: 'twice', numberFormat: format }]],
  showOperandSeries: flag,
};
const share: Fields = { groupBy: text, orderBy: ['ServiceName'], numberFormat: [format], limit: [3] };
const filter: Fields = { where: ['a'], whereLanguage: language };
const click = { type: 'search', target: { mode: 'template', template: 'Logs' }, whereTemplate: 'a' };

/** Fields of `config` by display type, beside `displayType`, `sourceId` and `select`. */
export const configFields: Record<string, Fields> = {
  line: { ...stacked, compareToPreviousPeriod: flag, fitYAxisToData: flag, lineInterpolation: ['smooth', 'linear'] },
  stacked_bar: stacked,
  stacked_line: { ...stacked, lineInterpolation: ['smooth', 'step'] },
  table: {
    groupBy: text,
    having: ['total > 1'],
    orderBy: text,
    asRatio: [false],
    numberFormat: [format],
    groupByColumnsOnLeft: flag,
    onClick: [
      { ...click, whereLanguage: 'lucene', filters: [{ kind: 'expressionTemplate', expression: 'a', template: 'b' }] },
      { type: 'dashboard', target: { mode: 'template', template: 'Shop' } },
      { type: 'external', urlTemplate: 'https://example.com/{{a}}' },
    ],
    formulas: [[{ expression: 'A * 2' }]],
    showOperandSeries: flag,
  },
  number: {
    formulas: [[{ expression: 'A * 2' }]],
    numberFormat: [format],
    color,
    colorRules: [
      [{ operator: 'gt', value: 1, color: 'chart-red', label: 'high' }],
      [{ operator: 'between', value: [1, 2], color: 'chart-red' }],
      [{ operator: 'eq', value: 'up', color: 'chart-green' }],
    ],
    backgroundChart: [{ type: 'area', color: 'chart-gray' }],
  },
  pie: share,
  bar: share,
  heatmap: { ...filter, numberFormat: [format], heatmapMode: ['distribution'] },
  search: filter,
  event_patterns: filter,
  markdown: { markdown: ['# a'] },
};

/** Fields of `config` of raw SQL, beside `connectionId` and `sqlTemplate`. */
export const sqlConfigFields: Record<string, Fields> = {
  line: {
    numberFormat: [format],
    compareToPreviousPeriod: flag,
    fillNulls: flag,
    alignDateRangeToGranularity: flag,
    fitYAxisToData: flag,
    lineInterpolation: ['step'],
  },
  stacked_bar: { numberFormat: [format], fillNulls: flag, alignDateRangeToGranularity: flag },
  stacked_line: { numberFormat: [format], lineInterpolation: ['linear', 'step', 'smooth'] },
  table: { numberFormat: [format], onClick: [click] },
  number: { numberFormat: [format], color, colorRules: [[{ operator: 'gt', value: 1, color: 'chart-red' }]] },
  pie: { numberFormat: [format] },
  bar: { numberFormat: [format] },
};

export const numberFormatFields = numberFormat;

/** Fields of a series by its type, beside `sourceId`, `aggFn`, `where` and `groupBy`. */
export const seriesFields: Record<string, Fields> = {
  time: {
    level: [0.5],
    field: ['Duration'],
    alias: ['a'],
    whereLanguage: language,
    groupBy: [text],
    numberFormat: [format],
    metricDataType: ['sum', 'gauge', 'histogram'],
    metricName: ['requests'],
    displayType: ['line', 'stacked_bar'],
    dataSource: ['events', 'metrics'],
  },
  table: { alias: ['a'], sortOrder: ['asc', 'desc'], groupBy: [text], numberFormat: [format] },
  number: { alias: ['a'], numberFormat: [format] },
  search: { fields: [text], whereLanguage: language },
  markdown: { content: ['# a'] },
};

export const tileFields: Fields = {
  name: ['Errors'],
  x: [1],
  y: [2],
  w: [3],
  h: [4],
  containerId: ['box'],
  tabId: ['tab'],
  description: ['What it shows'],
  asRatio: [false],
};

export const filterFields: Record<string, Fields> = {
  QUERY_EXPRESSION: {
    sourceMetricType: ['gauge'],
    where: ['a'],
    whereLanguage: language,
    isBroadcastEnabled: [true],
    isVariableEnabled: flag,
    minSelections: [0, 1],
    isGlobalRequirement: flag,
    maxSelections: [1],
  },
  STATIC_LIST: { options: [['a', 'b']] },
  PROMETHEUS_LABEL: { label: ['job'], match: ['up'] },
  SOURCE_FILTER: { variableName: ['service'] },
};

export const dashboardFields: Fields = {
  name: ['Shop'],
  tags: [['a', 'b']],
  savedQuery: ['a', null],
  savedFilterValues: [
    [{ type: 'sql', condition: "ServiceName IN ('a')" }],
    [{ condition: "ServiceName IN ('a')" }],
    [{ type: 'variable', name: 'service', values: ['a'], all: false }],
  ],
  containers: [
    [
      {
        id: 'box',
        title: 'Box',
        collapsed: false,
        collapsible: true,
        bordered: true,
        tabs: [{ id: 'tab', title: 'Tab' }],
      },
    ],
  ],
  charts: [[{ name: 'Errors', series: [] }]],
};

export const alertFields: Fields = {
  threshold: [0.5],
  thresholdMax: [9, null],
  interval: ['30s', '1m', '5m', '15m', '30m', '1h', '6h', '12h', '1d'],
  scheduleOffsetMinutes: [2, null],
  scheduleStartAt: ['2026-01-01T00:00:00.000Z', null],
  source: ['tile', 'inline'],
  thresholdType: ['below', 'above_exclusive', 'below_or_equal', 'equal', 'not_equal'],
  name: ['Errors', null],
  displayName: ['Errors of the shop', null],
  tags: [['team:shop'], []],
  message: ['See the runbook', null],
  note: ['Since January', null],
  numConsecutiveWindows: [2, null],
  groupBy: ['ServiceName', null],
  savedSearchId: [null],
  chartConfig: [{ displayType: 'line', sourceId: 'a', select: [{ aggFn: 'count' }] }],
  detectionMode: ['threshold', 'anomaly', null],
};

/** Of a channel, beside `type` and `webhookId`. */
export const channelFields: Fields = {
  webhookService: ['generic'],
  slackChannelId: ['C1'],
  severity: ['critical', 'error', 'warning', 'info'],
  emailRecipients: [['ada@example.com']],
};

const eventSource: Fields = {
  section: ['Shop'],
  disabled: [true, false, null],
  querySettings: [[{ setting: 'max_threads', value: '4' }], [{ setting: 'readonly', value: '0' }]],
  filterSettings: [{ databaseName: 'otel', tableName: 'filters', columns: [{ name: 'a', label: 'A' }] }, null],
  serviceNameExpression: ['ServiceName', null],
  serviceVersionExpression: ["ResourceAttributes['service.version']", null],
  eventAttributesExpression: ['Attributes', null],
  resourceAttributesExpression: ['ResourceAttributes', null],
  displayedTimestampValueExpression: ['Timestamp', null],
  orderByExpression: ['Timestamp DESC'],
  metricSourceId: ['ffffffffffffffffffffffff', null],
  implicitColumnExpression: ['Body', null],
  knownColumnsListExpression: ['Body', null],
  useTextIndexForImplicitColumn: ['auto', 'enabled', 'disabled', null],
  highlightedTraceAttributeExpressions: [[{ sqlExpression: 'a', luceneExpression: null, alias: 'A' }]],
  highlightedRowAttributeExpressions: [[{ sqlExpression: 'a', luceneExpression: 'a', alias: null }]],
  materializedViews: [
    [
      {
        databaseName: 'otel',
        tableName: 'view',
        dimensionColumns: 'a',
        minGranularity: '5m',
        minDate: null,
        timestampColumn: 'Timestamp',
        aggregatedColumns: [{ sourceColumn: null, aggFn: 'count', mvColumn: 'n' }],
      },
    ],
  ],
  metadataMaterializedViews: [{ keyRollupTable: 'k', kvRollupTable: 'kv', granularity: '5m' }, null],
};

export const sourceFields: Record<string, Fields> = {
  log: {
    ...eventSource,
    severityTextExpression: ['SeverityText', null],
    bodyExpression: ['Body', null],
    traceSourceId: ['ffffffffffffffffffffffff', null],
    traceIdExpression: ['TraceId', null],
    spanIdExpression: ['SpanId', null],
    tableFilterExpression: ["ServiceName = 'a'"],
  },
  trace: {
    ...eventSource,
    durationPrecision: [9],
    logSourceId: ['ffffffffffffffffffffffff', null],
    sessionSourceId: ['ffffffffffffffffffffffff', null],
    statusCodeExpression: ['StatusCode', null],
    statusMessageExpression: ['StatusMessage', null],
    sampleRateExpression: ['SampleRate', "SpanAttributes['rate']", 'no) value'],
    spanEventsValueExpression: ['Events', null],
    spanLinksValueExpression: ['Links'],
  },
  metric: {
    section: ['Shop'],
    disabled: [true, null],
    querySettings: [[{ setting: 'final', value: '1' }]],
    logSourceId: ['ffffffffffffffffffffffff', null],
    metricTables: [{ gauge: 'g', histogram: 'h', sum: 's', summary: 'y', 'exponential histogram': 'e' }],
  },
  session: {
    section: ['Shop'],
    disabled: [true, null],
    timestampValueExpression: ['TimestampTime', null],
    resourceAttributesExpression: ['ResourceAttributes'],
  },
  promql: { section: ['Shop'], disabled: [true, null], querySettings: [[]] },
};

export const connectionFields: Fields = {
  name: ['prod'],
  host: ['https://clickhouse.example.com:8443'],
  username: ['reader'],
  hyperdxSettingPrefix: ['sb_', null],
  isPrometheusEndpoint: flag,
  prometheusEndpoint: ['http://prometheus:9090', null],
};

export const webhookFields: Fields = {
  name: ['ops'],
  url: ['https://hooks.example.com/b'],
  description: ['For the people on call'],
  body: ['{"text":"{{title}}"}'],
  service: ['slack_api', 'pagerduty_api', 'incidentio'],
};

export const savedSearchFields: Fields = {
  select: ['Timestamp, Body'],
  where: ['a'],
  whereLanguage: language,
  orderBy: ['Timestamp DESC'],
  tags: [['a']],
  filters: [[{ type: 'sql', condition: "ServiceName IN ('a')" }]],
};

/** Of our own: no other client has silences. */
export const silenceFields: Fields = {
  name: ['Release'],
  comment: ['Every week'],
  match: [{}, { tags: ['a'] }, { groups: [{ key: 'a', value: 'b' }, { value: '' }] }],
  startsAt: ['2026-01-01T00:00:00Z'],
  endsAt: ['2099-01-01T00:00:00Z', '2099-01-01T00:00:00+02:00'],
  recurrence: [{ days: ['mon', 'fri'], from: '22:00', to: '06:00', timezone: 'Europe/Berlin' }],
};
