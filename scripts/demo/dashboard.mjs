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
export const watchedTile = 'Payment errors';
export const memoryTile = 'Memory by service';

const tiles = [
  tile('Orders', [0, 0, 6, 3], [metric('shop.orders.placed', 'sum', { aggFn: 'sum', type: 'number' })]),
  config('Requests', [6, 0, 6, 3], {
    displayType: 'number',
    sourceId: 'Traces',
    select: [{ aggFn: 'count', where: requests }],
    backgroundChart: { type: 'area' },
  }),
  tile('Open carts', [12, 0, 6, 3], [metric('shop.carts.open', 'gauge', { aggFn: 'last_value', type: 'number' })]),
  {
    ...tile(
      'Failed requests',
      [18, 0, 6, 3],
      [
        events('Traces', {
          where: `${requests} StatusCode:Error`,
          type: 'number',
          numberFormat: { output: 'percent', mantissa: 1 },
        }),
        events('Traces', { where: requests, type: 'number' }),
      ],
    ),
    asRatio: true,
  },
  tile(
    'Requests by route',
    [0, 3, 12, 9],
    [events('Traces', { where: requests, groupBy: ['SpanName'], displayType: 'stacked_bar' })],
  ),
  tile(
    'Response time by service, p95',
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
        dashboards: [{ name: 'Shop', tags: ['demo'], tiles }],
      },
    ],
  };
}
