import { expect } from 'vitest';
import type { FlavourName } from '../../src/http/operation.ts';
import type { WorldAnswer } from './api-world.ts';
import { alertBody, connectionBody, silenceBody, type TenantObjects } from './tenant-objects.ts';

/** The response for an unused id; the same applies to an id of another tenant (decisions F2). */
export type Unknown = 404 | { selfHosted: number; managed: number };

export interface Row {
  resource: string;
  operation: string;
  method: string;
  path: (own: TenantObjects) => string;
  body?: (own: TenantObjects) => object;
  access: 'read' | 'write';
  flavours: readonly FlavourName[];
  /** Absent when the request names no object. */
  unknown?: Unknown;
}

const both = ['selfHosted', 'managed'] as const;
const selfHosted = ['selfHosted'] as const;
const managed = ['managed'] as const;

const chart = ({ source }: TenantObjects) => ({
  startTime: 1_700_000_000_000,
  endTime: 1_700_003_600_000,
  granularity: '1h',
  series: [{ sourceId: source, aggFn: 'count', where: '', groupBy: [] }],
});
/** A foreign source is an error inside the tile's own answer: `charts/tiles.test.ts`. */
const markdownTile = () => ({
  startTime: 1_700_000_000_000,
  endTime: 1_700_003_600_000,
  tiles: [{ ref: 'a', tile: { series: [{ type: 'markdown', content: 'x' }] } }],
});
const preview = (own: TenantObjects) => ({
  alert: alertBody(own),
  startTime: 1_700_000_000_000,
  endTime: 1_700_014_400_000,
});
const patterns = ({ source }: TenantObjects) => ({
  sourceId: source,
  startTime: 1_700_000_000_000,
  endTime: 1_700_003_600_000,
});
const deltas = ({ source }: TenantObjects) => ({
  sourceId: source,
  startTime: 1_700_000_000_000,
  endTime: 1_700_003_600_000,
  selection: { where: 'SeverityText:error' },
});
const spans = ({ traceSource }: TenantObjects) => ({
  sourceId: traceSource,
  startTime: 1_700_000_000_000,
  endTime: 1_700_003_600_000,
});
const spansOfService = (own: TenantObjects) => ({ ...spans(own), service: 'cart' });
const facets = ({ source }: TenantObjects) => ({
  sourceId: source,
  startTime: 1_700_000_000_000,
  endTime: 1_700_003_600_000,
  fields: ['ServiceName'],
});
const savedSearch = ({ source }: TenantObjects) => ({ name: 'Errors', sourceId: source });
const silence = ({ alert }: TenantObjects) => silenceBody({ alertIds: [alert] });
const exported = ({ source }: TenantObjects) => ({ sourceId: source, format: 'ndjson' });
const search = ({ source }: TenantObjects) => ({ sourceId: source });
const dashboard = ({ source }: TenantObjects) => ({
  name: 'Shop',
  tiles: [{ series: [{ sourceId: source, aggFn: 'count', where: '', groupBy: [] }] }],
});
const source = ({ connection }: TenantObjects) => ({
  name: 'More logs',
  kind: 'log',
  connection,
  from: { databaseName: 'shop', tableName: 'logs' },
  timestampValueExpression: 'Timestamp',
  defaultTableSelectExpression: 'Timestamp, Body',
});
export const pipeBody = {
  name: 'orders',
  destination: { table: 'orders', columns: [{ name: 'id', type: 'UInt64' }] },
  source: { objectStorage: { url: 'https://example.com/a.json', format: 'JSONEachRow' } },
};
const pipeSource = {
  ...{ kind: 'log', name: 'orders', timestampValueExpression: 'Timestamp' },
  defaultTableSelectExpression: 'Timestamp, Body',
};
const unreachableSource = { objectStorage: { url: 'http://127.0.0.1:9/a.json', format: 'JSONEachRow' } };
let names = 0;
const webhook = () => ({ name: `hook ${names++}`, service: 'generic', url: 'http://127.0.0.1:9/hook' });
const connection = () => connectionBody(`connection ${names++}`);

/** Decisions D1: an invalid dashboard is 500 in the self-hosted flavour, 400 in the managed one. */
const invalid = { selfHosted: 500, managed: 400 };
const refused = { selfHosted: 400, managed: 400 };

const row = (
  [resource, operation, access, flavours]: [string, string, Row['access'], Row['flavours']],
  [method, path, body, unknown]: [string, Row['path'], Row['body']?, Unknown?],
): Row => ({
  resource,
  operation,
  access,
  flavours,
  method,
  path,
  ...(body ? { body } : {}),
  ...(unknown ? { unknown } : {}),
});

/** Every operation there is; a new one that is missing here fails the first test. */
export const operationTable: Row[] = [
  row(['dashboards', 'listDashboards', 'read', both], ['GET', () => '/dashboards']),
  row(['dashboards', 'createDashboard', 'write', both], ['POST', () => '/dashboards', dashboard, invalid]),
  row(['dashboards', 'validateDashboard', 'read', both], ['POST', () => '/dashboards/validate', () => ({ name: 'x' })]),
  row(
    ['dashboards', 'importDashboard', 'write', both],
    ['POST', () => '/dashboards/import', (own) => ({ document: dashboard(own) }), refused],
  ),
  row(
    ['dashboards', 'previewDashboardImport', 'read', both],
    ['POST', () => '/dashboards/import/preview', (own) => ({ document: dashboard(own) })],
  ),
  row(
    ['dashboards', 'exportDashboard', 'read', both],
    ['GET', (own) => `/dashboards/${own.dashboard}/export`, undefined, 404],
  ),
  row(
    ['dashboards', 'listDashboardVersions', 'read', both],
    ['GET', (own) => `/dashboards/${own.dashboard}/versions`, undefined, 404],
  ),
  row(
    ['dashboards', 'getDashboardVersion', 'read', both],
    ['GET', (own) => `/dashboards/${own.dashboard}/versions/1`, undefined, 404],
  ),
  row(
    ['dashboards', 'restoreDashboardVersion', 'write', both],
    ['POST', (own) => `/dashboards/${own.dashboard}/versions/1/restore`, undefined, 404],
  ),
  row(['dashboards', 'listFavouriteDashboards', 'read', selfHosted], ['GET', () => '/favourite-dashboards']),
  row(
    ['dashboards', 'addFavouriteDashboard', 'write', selfHosted],
    ['PUT', (own) => `/favourite-dashboards/${own.dashboard}`, undefined, 404],
  ),
  row(
    ['dashboards', 'deleteFavouriteDashboard', 'write', selfHosted],
    ['DELETE', (own) => `/favourite-dashboards/${own.dashboard}`],
  ),
  row(['dashboards', 'listDeletedDashboards', 'read', both], ['GET', () => '/deleted-dashboards']),
  row(
    ['dashboards', 'restoreDeletedDashboard', 'write', both],
    ['POST', (own) => `/deleted-dashboards/${own.deletedDashboard}/restore`, undefined, 404],
  ),
  row(['dashboards', 'getDashboard', 'read', both], ['GET', (own) => `/dashboards/${own.dashboard}`, undefined, 404]),
  row(
    ['dashboards', 'updateDashboard', 'write', both],
    ['PUT', (own) => `/dashboards/${own.dashboard}`, () => ({ tags: ['x'] }), 404],
  ),
  row(
    ['dashboards', 'deleteDashboard', 'write', both],
    ['DELETE', (own) => `/dashboards/${own.dashboard}`, undefined, 404],
  ),
  row(['alerts', 'listAlerts', 'read', both], ['GET', () => '/alerts']),
  row(['alerts', 'createAlert', 'write', both], ['POST', () => '/alerts', alertBody, refused]),
  row(['alerts', 'previewAlert', 'read', both], ['POST', () => '/alerts/preview', preview, refused]),
  row(['alerts', 'getAlert', 'read', both], ['GET', (own) => `/alerts/${own.alert}`, undefined, 404]),
  row(['alerts', 'updateAlert', 'write', both], ['PUT', (own) => `/alerts/${own.alert}`, alertBody, 404]),
  row(['alerts', 'deleteAlert', 'write', both], ['DELETE', (own) => `/alerts/${own.alert}`, undefined, 404]),
  row(
    ['alerts', 'listAlertDeliveries', 'read', both],
    ['GET', (own) => `/alerts/${own.alert}/deliveries`, undefined, 404],
  ),
  row(
    ['alerts', 'replayAlertDelivery', 'write', both],
    ['POST', (own) => `/alerts/${own.alert}/deliveries/${own.alert}-1/replay`, undefined, 404],
  ),
  row(['alerts', 'listAlertHistory', 'read', both], ['GET', (own) => `/alerts/${own.alert}/history`, undefined, 404]),
  row(['alerts', 'listAlertTrends', 'read', both], ['GET', (own) => `/alerts/trends?ids=${own.alert}`]),
  row(
    ['alerts', 'silenceAlert', 'write', both],
    ['POST', (own) => `/alerts/${own.alert}/silenced`, () => ({ until: '2099-01-01T00:00:00Z' }), 404],
  ),
  row(
    ['alerts', 'unsilenceAlert', 'write', both],
    ['DELETE', (own) => `/alerts/${own.alert}/silenced`, undefined, 404],
  ),
  row(
    ['alerts', 'acknowledgeAlert', 'write', both],
    ['POST', (own) => `/alerts/${own.alert}/acknowledged`, () => ({ comment: 'on it' }), 404],
  ),
  row(
    ['alerts', 'unacknowledgeAlert', 'write', both],
    ['DELETE', (own) => `/alerts/${own.alert}/acknowledged`, undefined, 404],
  ),
  row(['silences', 'listSilences', 'read', selfHosted], ['GET', () => '/silences']),
  row(['silences', 'createSilence', 'write', selfHosted], ['POST', () => '/silences', silence, refused]),
  row(['silences', 'getSilence', 'read', selfHosted], ['GET', (own) => `/silences/${own.silence}`, undefined, 404]),
  row(['silences', 'updateSilence', 'write', selfHosted], ['PUT', (own) => `/silences/${own.silence}`, silence, 404]),
  row(
    ['silences', 'deleteSilence', 'write', selfHosted],
    ['DELETE', (own) => `/silences/${own.spareSilence}`, undefined, 404],
  ),
  row(['sources', 'listSources', 'read', both], ['GET', () => '/sources']),
  row(['sources', 'createSource', 'write', selfHosted], ['POST', () => '/sources', source, refused]),
  row(['sources', 'getSource', 'read', selfHosted], ['GET', (own) => `/sources/${own.source}`, undefined, 404]),
  row(['sources', 'updateSource', 'write', selfHosted], ['PUT', (own) => `/sources/${own.spareSource}`, source, 404]),
  row(
    ['sources', 'deleteSource', 'write', selfHosted],
    ['DELETE', (own) => `/sources/${own.spareSource}`, undefined, 404],
  ),
  row(['webhooks', 'listWebhooks', 'read', selfHosted], ['GET', () => '/webhooks']),
  row(['webhooks', 'createWebhook', 'write', selfHosted], ['POST', () => '/webhooks', webhook]),
  row(['webhooks', 'getWebhook', 'read', selfHosted], ['GET', (own) => `/webhooks/${own.webhook}`, undefined, 404]),
  row(['webhooks', 'updateWebhook', 'write', selfHosted], ['PUT', (own) => `/webhooks/${own.webhook}`, webhook, 404]),
  row(
    ['webhooks', 'deleteWebhook', 'write', selfHosted],
    ['DELETE', (own) => `/webhooks/${own.spareWebhook}`, undefined, 404],
  ),
  row(
    ['webhooks', 'testWebhook', 'write', selfHosted],
    ['POST', (own) => `/webhooks/${own.spareWebhook}/test`, undefined, 404],
  ),
  row(['connections', 'listConnections', 'read', selfHosted], ['GET', () => '/connections']),
  row(['connections', 'createConnection', 'write', selfHosted], ['POST', () => '/connections', connection]),
  row(
    ['connections', 'getConnection', 'read', selfHosted],
    ['GET', (own) => `/connections/${own.connection}`, undefined, 404],
  ),
  row(
    ['connections', 'updateConnection', 'write', selfHosted],
    ['PUT', (own) => `/connections/${own.connection}`, connection, 404],
  ),
  row(
    ['connections', 'deleteConnection', 'write', selfHosted],
    ['DELETE', (own) => `/connections/${own.connection}`, undefined, 404],
  ),
  row(
    ['charts', 'queryChartSeries', 'read', selfHosted],
    ['POST', () => '/charts/series', chart, { selfHosted: 404, managed: 404 }],
  ),
  row(['charts', 'queryTiles', 'read', selfHosted], ['POST', () => '/charts/tiles', markdownTile]),
  row(
    ['search', 'searchEvents', 'read', selfHosted],
    ['POST', () => '/search', search, { selfHosted: 404, managed: 404 }],
  ),
  row(
    ['search', 'exportEvents', 'read', selfHosted],
    ['POST', () => '/search/export', exported, { selfHosted: 404, managed: 404 }],
  ),
  row(
    ['search', 'countFacets', 'read', selfHosted],
    ['POST', () => '/search/facets', facets, { selfHosted: 404, managed: 404 }],
  ),
  row(
    ['search', 'compareEvents', 'read', selfHosted],
    ['POST', () => '/search/deltas', deltas, { selfHosted: 404, managed: 404 }],
  ),
  row(
    ['search', 'findPatterns', 'read', selfHosted],
    ['POST', () => '/search/patterns', patterns, { selfHosted: 404, managed: 404 }],
  ),
  row(
    ['services', 'queryServices', 'read', selfHosted],
    ['POST', () => '/services', spans, { selfHosted: 404, managed: 404 }],
  ),
  row(
    ['services', 'queryServiceOperations', 'read', selfHosted],
    ['POST', () => '/services/operations', spansOfService, { selfHosted: 404, managed: 404 }],
  ),
  row(
    ['services', 'queryServiceMap', 'read', selfHosted],
    ['POST', () => '/services/map', spans, { selfHosted: 404, managed: 404 }],
  ),
  row(
    ['services', 'queryServiceErrors', 'read', selfHosted],
    ['POST', () => '/services/errors', spansOfService, { selfHosted: 404, managed: 404 }],
  ),
  row(['sources', 'checkSource', 'read', selfHosted], ['POST', () => '/sources/check', () => ({ name: 'x' })]),
  row(
    ['sources', 'listSourceFields', 'read', selfHosted],
    ['GET', (own) => `/sources/${own.source}/fields`, undefined, 404],
  ),
  row(
    ['sources', 'listSourceValues', 'read', selfHosted],
    ['GET', (own) => `/sources/${own.source}/values?field=ServiceName`, undefined, 404],
  ),
  row(
    ['sources', 'listSourceMetrics', 'read', selfHosted],
    ['GET', (own) => `/sources/${own.metricSource}/metrics`, undefined, 404],
  ),
  row(['savedSearches', 'listSavedSearches', 'read', selfHosted], ['GET', () => '/saved-searches']),
  row(
    ['savedSearches', 'createSavedSearch', 'write', selfHosted],
    ['POST', () => '/saved-searches', savedSearch, refused],
  ),
  row(
    ['savedSearches', 'getSavedSearch', 'read', selfHosted],
    ['GET', (own) => `/saved-searches/${own.savedSearch}`, undefined, 404],
  ),
  row(
    ['savedSearches', 'updateSavedSearch', 'write', selfHosted],
    ['PUT', (own) => `/saved-searches/${own.savedSearch}`, savedSearch, 404],
  ),
  row(
    ['savedSearches', 'deleteSavedSearch', 'write', selfHosted],
    ['DELETE', (own) => `/saved-searches/${own.spareSavedSearch}`, undefined, 404],
  ),
  row(['pipes', 'listPipes', 'read', managed], ['GET', () => '/pipes']),
  row(['pipes', 'listPipeStatuses', 'read', managed], ['GET', () => '/pipes/status']),
  row(['pipes', 'getPipe', 'read', managed], ['GET', (own) => `/pipes/${own.pipe}`, undefined, 404]),
  row(['pipes', 'createPipe', 'write', managed], ['POST', () => '/pipes', () => pipeBody]),
  row(
    ['pipes', 'checkPipeSource', 'write', managed],
    ['POST', () => '/pipes/check', () => ({ source: unreachableSource })],
  ),
  row(
    ['pipes', 'discoverPipeSchema', 'write', managed],
    ['POST', () => '/pipes/schemaDiscovery', () => ({ source: unreachableSource })],
  ),
  row(['pipes', 'updatePipe', 'write', managed], ['PATCH', (own) => `/pipes/${own.pipe}`, () => ({ name: 'x' }), 404]),
  row(['pipes', 'deletePipe', 'write', managed], ['DELETE', (own) => `/pipes/${own.pipe}`, undefined, 404]),
  row(
    ['pipes', 'changePipeState', 'write', managed],
    ['PATCH', (own) => `/pipes/${own.pipe}/state`, () => ({ command: 'stop' }), 404],
  ),
  row(
    ['pipes', 'scalePipe', 'write', managed],
    ['PATCH', (own) => `/pipes/${own.pipe}/scaling`, () => ({ replicas: 2 }), 404],
  ),
  row(['pipes', 'getPipeSettings', 'read', managed], ['GET', (own) => `/pipes/${own.pipe}/settings`, undefined, 404]),
  row(
    ['pipes', 'replacePipeSettings', 'write', managed],
    ['PUT', (own) => `/pipes/${own.pipe}/settings`, () => ({ engine_max_threads: 2 }), 404],
  ),
  row(['pipes', 'getPipeStatus', 'read', managed], ['GET', (own) => `/pipes/${own.pipe}/status`, undefined, 404]),
  row(['pipes', 'listPipeErrors', 'read', managed], ['GET', (own) => `/pipes/${own.pipe}/errors`, undefined, 404]),
  row(['pipes', 'proposePipeSource', 'read', managed], ['GET', (own) => `/pipes/${own.pipe}/source`, undefined, 404]),
  row(
    ['pipes', 'createPipeSource', 'write', managed],
    ['POST', (own) => `/pipes/${own.pipe}/source`, () => pipeSource, 404],
  ),
];

export function expectSuccess(answer: WorldAnswer, flavour: FlavourName, { operation }: Row, why: string): void {
  expect(answer.status, `${why}: ${answer.text}`).toBe(200);
  if (operation === 'exportEvents') return;
  const removes = /^(delete|unsilence|unacknowledge)/.test(operation);
  const keys = Object.keys(answer.json as object).filter((key) => key !== 'meta');
  if (flavour === 'managed')
    expect(keys, why).toEqual(removes ? ['requestId', 'status'] : ['requestId', 'result', 'status']);
  else if (operation === 'validateDashboard') expect(keys, why).toEqual(['valid', 'errors', 'normalized']);
  else if (operation === 'searchEvents') expect(keys, why).toEqual(['data', 'rows']);
  else expect(keys, why).toEqual(removes ? [] : ['data']);
}
