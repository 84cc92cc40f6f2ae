import type { AlertInput, AlertRecord } from '../../../src/contract/alert.ts';
import type { FlavourName } from '../../../src/http/operation.ts';
import { otherServiceId, serviceId, TestApi } from '../../../src/http/testing.ts';
import { FakeClock } from '../../../src/kernel/fake-clock.ts';
import { randomIds } from '../../../src/kernel/ids.ts';
import { AlertLogService } from '../../../src/resources/alerts/alert-log-service.ts';
import { AlertService } from '../../../src/resources/alerts/alert-service.ts';
import { DeliveryReplayService } from '../../../src/resources/alerts/delivery-replay-service.ts';
import { alertOperations } from '../../../src/resources/alerts/operations/alert-operations.ts';
import { tileOf } from '../../support/alert-fixtures.ts';
import { FakeAlertStore } from '../../support/fake-alert-store.ts';

export const dashboardId = 'd00000000000000000000001';
export const foreignDashboardId = 'd00000000000000000000002';
export const savedSearchId = 'f00000000000000000000001';
export const foreignSavedSearchId = 'f00000000000000000000002';
export const unknownId = 'ffffffffffffffffffffffff';
export const webhookId = 'e00000000000000000000001';
export const otherWebhookId = 'e00000000000000000000002';
export const foreignWebhookId = 'e00000000000000000000003';

/** seed §Alert: every row of the table, as the creation request has it. */
export const seedBody: AlertInput = {
  dashboardId,
  tileId: 'line',
  threshold: 100,
  interval: '1h',
  source: 'tile',
  thresholdType: 'above',
  channel: { type: 'webhook', webhookId },
  name: 'Too many errors',
  message: 'Look at the service.',
};

const config = (displayType: string) => ({
  config: { displayType, sourceId: 'a00000000000000000000001', select: [{ aggFn: 'count' }] } as never,
});
const rawSql = { configType: 'sql', connectionId: 'c00000000000000000000001', sqlTemplate: 'SELECT 1' };
const bucketed = {
  ...rawSql,
  sqlTemplate: 'SELECT $__timeInterval(Timestamp) AS ts, count() FROM otel_logs GROUP BY ts',
};
const seriesOf = (type: string) => ({
  series: [{ type, sourceId: 's', aggFn: 'count', where: '', groupBy: [] }] as never,
});

const tiles = [
  tileOf('line'),
  tileOf('number', seriesOf('number')),
  tileOf('table', seriesOf('table')),
  tileOf('markdown', { series: [{ type: 'markdown', content: 'x' }] as never }),
  { id: 'empty', x: 0, y: 0, w: 8, h: 10 },
  { id: 'config-line', x: 0, y: 0, w: 8, h: 10, ...config('line') },
  { id: 'config-bars', x: 0, y: 0, w: 8, h: 10, ...config('stacked_bar') },
  { id: 'config-areas', x: 0, y: 0, w: 8, h: 10, ...config('stacked_line') },
  { id: 'config-number', x: 0, y: 0, w: 8, h: 10, ...config('number') },
  { id: 'config-table', x: 0, y: 0, w: 8, h: 10, ...config('table') },
  { id: 'sql-line', x: 0, y: 0, w: 8, h: 10, config: { ...bucketed, displayType: 'line' } as never },
  { id: 'sql-unbucketed', x: 0, y: 0, w: 8, h: 10, config: { ...rawSql, displayType: 'line' } as never },
  { id: 'sql-table', x: 0, y: 0, w: 8, h: 10, config: { ...rawSql, displayType: 'table' } as never },
  { id: 'sql-number', x: 0, y: 0, w: 8, h: 10, config: { ...rawSql, displayType: 'number' } as never },
];

/** The alerts API of one flavour over a store in memory, with one dashboard and webhooks of two tenants. */
export class AlertApi extends TestApi {
  readonly store: FakeAlertStore;
  readonly time: FakeClock;

  constructor(name: FlavourName) {
    const store = new FakeAlertStore();
    const time = new FakeClock();
    store.addDashboard(serviceId, { id: dashboardId, name: 'Shop', tiles });
    store.addDashboard(otherServiceId, { id: foreignDashboardId, name: 'Other', tiles });
    store.addSavedSearch(serviceId, { id: savedSearchId, name: 'Errors' });
    store.addSavedSearch(otherServiceId, { id: foreignSavedSearchId, name: 'Errors' });
    store.addWebhook(serviceId, webhookId);
    store.addWebhook(serviceId, otherWebhookId);
    store.addWebhook(otherServiceId, foreignWebhookId);
    const alerts = new AlertService({ alerts: store, ids: randomIds, clock: time });
    const replays = new DeliveryReplayService({ alerts, log: store.log, ids: randomIds, clock: time });
    super(name, alertOperations(alerts, new AlertLogService(alerts, store.log), replays));
    this.store = store;
    this.time = time;
  }

  async create(body: unknown = seedBody): Promise<AlertRecord> {
    return this.unwrap(await this.send('POST', '/alerts', { body })) as AlertRecord;
  }

  async put(id: string, body: unknown): Promise<AlertRecord> {
    return this.unwrap(await this.send('PUT', `/alerts/${id}`, { body })) as AlertRecord;
  }

  async get(id: string): Promise<AlertRecord> {
    return this.unwrap(await this.send('GET', `/alerts/${id}`)) as AlertRecord;
  }

  async list(query = ''): Promise<AlertRecord[]> {
    return this.unwrap(await this.send('GET', `/alerts${query}`)) as AlertRecord[];
  }
}
