// What the demo's team starts with: people, keys, a receiver of alerts, and the dashboard "Shop".

export const teamName = 'Demo';
export const login = { email: 'demo@example.com', password: 'signalbox-demo' };
export const personalKey = 'demo000000000000000000000000000000000key';
export const ingestionKey = 'demo-ingest-000000000000000000000key';

const duration = { output: 'duration', factor: 1e-9 };
const events = (source, parts) => ({ sourceId: source, aggFn: 'count', where: '', groupBy: [], ...parts });
const metric = (metricName, metricDataType, parts) => events('Metrics', { metricName, metricDataType, ...parts });

const errorsOfPayment = 'ServiceName:"payment" SeverityText:error';
const requests = 'ServiceName:"web" SpanKind:Server';
const ofMetric = (metricName, metricType, aggFn) => ({ aggFn, metricName, metricType, valueExpression: 'Value' });
export const watchedTile = 'Payment errors';
export const memoryTile = 'Memory by service';
export const latencyTile = 'Response time by service, p95';
export const ordersTile = 'Orders';

const tiles = [
  number(ordersTile, 0, { sourceId: 'Metrics', select: [ofMetric('shop.orders.placed', 'sum', 'sum')] }, 'chart-green'),
  number('Requests', 6, { sourceId: 'Traces', select: [{ aggFn: 'count', where: requests }] }, 'chart-blue'),
  number(
    'Open carts',
    12,
    { sourceId: 'Metrics', select: [ofMetric('shop.carts.open', 'gauge', 'last_value')] },
    'chart-purple',
  ),
  number('Failed requests', 18, {
    sourceId: 'Traces',
    select: [
      { aggFn: 'count', where: `${requests} StatusCode:Error` },
      { aggFn: 'count', where: requests },
    ],
    formulas: [{ expression: 'A / B', alias: 'failed', numberFormat: { output: 'percent', mantissa: 1 } }],
    colorRules: [{ operator: 'gte', value: 0.03, color: 'chart-error' }],
  }),
  tile(
    'Requests by route',
    [0, 3, 12, 9],
    [events('Traces', { where: requests, groupBy: ['SpanName'], displayType: 'stacked_bar' })],
  ),
  tile(
    latencyTile,
    [12, 3, 12, 9],
    [
      events('Traces', {
        aggFn: 'quantile',
        level: 0.95,
        field: 'Duration',
        where: 'SpanKind:Server',
        groupBy: ['ServiceName'],
        numberFormat: duration,
      }),
    ],
  ),
  tile(watchedTile, [0, 12, 12, 8], [events('Logs', { where: errorsOfPayment })]),
  tile(
    memoryTile,
    [12, 12, 12, 8],
    [
      metric('process.memory.usage', 'gauge', {
        aggFn: 'max',
        groupBy: ['ServiceName'],
        numberFormat: { output: 'byte' },
      }),
    ],
  ),
  config('Slowest routes', [0, 20, 12, 9], {
    displayType: 'table',
    sourceId: 'Traces',
    select: [
      {
        aggFn: 'quantile',
        level: 0.95,
        valueExpression: 'Duration',
        where: 'SpanKind:Server',
        alias: 'p95',
        numberFormat: duration,
      },
      { aggFn: 'count', where: 'SpanKind:Server', alias: 'requests' },
    ],
    groupBy: 'ServiceName, SpanName',
  }),
  config('Log lines by service', [12, 20, 6, 9], {
    displayType: 'pie',
    sourceId: 'Logs',
    select: [{ aggFn: 'count' }],
    groupBy: 'ServiceName',
  }),
  tile(
    'Response time of the web server, p90',
    [18, 20, 6, 9],
    [metric('http.server.duration', 'histogram', { aggFn: 'quantile', level: 0.9, where: 'ServiceName:"web"' })],
  ),
  config('Latest payment errors', [0, 29, 16, 9], {
    displayType: 'search',
    sourceId: 'Logs',
    select: 'Timestamp, ServiceName, SeverityText, Body',
    where: errorsOfPayment,
  }),
  config('About', [16, 29, 8, 9], {
    displayType: 'markdown',
    markdown: [
      '### The shop',
      '`web` asks `catalog`, `cart`, `checkout` and `payment`.',
      '',
      'Every half hour the bank behind `payment` fails for 10 minutes: **Payment errors** rises, its alert fires and resolves.',
    ].join('\n'),
  }),
];

/** What watches one service: who is on call for the payments looks here first. */
const paymentTiles = [
  number('Charges', 0, { sourceId: 'Traces', select: [{ aggFn: 'count', where: 'SpanName:"POST /charges"' }] }),
  number('Slowest charge', 6, {
    sourceId: 'Traces',
    select: [{ aggFn: 'max', valueExpression: 'Duration', where: 'SpanName:"POST /charges"', numberFormat: duration }],
  }),
  tile(
    'Charges by outcome',
    [0, 3, 12, 9],
    [
      events('Traces', {
        where: 'SpanName:"POST /charges"',
        groupBy: ['StatusCode'],
        displayType: 'stacked_bar',
      }),
    ],
  ),
  config('Payment log', [12, 0, 12, 12], {
    displayType: 'search',
    sourceId: 'Logs',
    select: 'Timestamp, SeverityText, Body',
    where: 'ServiceName:"payment"',
  }),
];

const customerTiles = [
  tile(
    'Requests by region',
    [0, 0, 16, 9],
    [events('Traces', { where: requests, groupBy: ["SpanAttributes['customer.region']"] })],
  ),
  config('Orders by region', [16, 0, 8, 9], {
    displayType: 'bar',
    sourceId: 'Metrics',
    select: [ofMetric('shop.orders.placed', 'sum', 'sum')],
    groupBy: "Attributes['region']",
  }),
];

/** A figure in the row at the top, with what it was over the range behind it. */
function number(name, x, body, color = 'chart-blue') {
  return config(name, [x, 0, 6, 3], { displayType: 'number', backgroundChart: { type: 'area', color }, ...body });
}

function tile(name, [x, y, w, h], series) {
  return { name, x, y, w, h, series };
}

function config(name, [x, y, w, h], body) {
  return { name, x, y, w, h, config: body };
}

/** The provisioning file. */
export function demoProvisioning(receiverUrl) {
  return {
    teams: [
      {
        name: teamName,
        users: [{ ...login, name: 'Demo', apiKeys: [{ name: 'demo', key: personalKey }] }],
        ingestionKeys: [{ name: 'shop', key: ingestionKey }],
        webhooks: [{ name: 'On call', service: 'generic', url: receiverUrl }],
        dashboards: [
          { name: 'Shop', tags: ['demo'], tiles },
          { name: 'Payments', tags: ['demo', 'on call'], tiles: paymentTiles },
          { name: 'Customers', tags: ['demo'], tiles: customerTiles },
        ],
      },
    ],
  };
}
