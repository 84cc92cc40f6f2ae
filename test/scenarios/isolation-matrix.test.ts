import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FlavourName } from '../../src/http/operation.ts';
import { randomIds } from '../../src/kernel/ids.ts';
import { evaluationOf, messageOf } from '../support/alert-fixtures.ts';
import { ApiWorld, type WorldAnswer } from '../support/api-world.ts';
import {
  alertBody,
  connectionBody,
  missingObjects,
  silenceBody,
  TenantActor,
  type TenantObjects,
} from '../support/tenant-objects.ts';
import {
  type Credential,
  credentials,
  ids,
  managedPath,
  revokedCredentials,
  selfHostedPath,
  twoTenancies,
} from '../support/two-tenancies.ts';

/** The response for an unused id; the same applies to an id of another tenant (decisions F2). */
type Unknown = 404 | { selfHosted: number; managed: number };

interface Row {
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
const pipeBody = {
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
const table: Row[] = [
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

/** What a credential is in a flavour: a key of the own tenant, one of another tenant, rejected, or nothing. */
type Standing = 'admin' | 'read' | 'otherTenant' | 401 | 403;

/** Callers not listed here are not authenticated at all (decisions K1: three different kinds of keys). */
const standings: Record<FlavourName, Partial<Record<Credential, Standing>>> = {
  selfHosted: { personal: 'admin', 'personal, read only': 'read', 'personal of another team': 'otherTenant' },
  managed: {
    'cloud admin': 'admin',
    'cloud read': 'read',
    'cloud of another service': 403,
    'cloud of another organization': 403,
  },
};

const standingOf = (flavour: FlavourName, credential: Credential): Standing => standings[flavour][credential] ?? 401;
const everyCredential = Object.keys(credentials) as Credential[];

let world: ApiWorld;
let own: Record<FlavourName, TenantActor>;
let ownObjects: Record<FlavourName, TenantObjects>;
let foreignObjects: Record<FlavourName, TenantObjects>;
let strangers: TenantActor[];

beforeAll(async () => {
  world = await ApiWorld.open(twoTenancies);
  for (const credential of revokedCredentials) await world.revoke(credential);
  const tenants = await world.metadata.identities.listTenants();
  const actor = (name: string): TenantActor =>
    new TenantActor(
      world.operations,
      tenants.find(({ id, kind, ...tenant }) => (kind === 'team' ? tenant.name : id) === name)?.id ?? '',
    );
  own = { selfHosted: actor('Own'), managed: actor(ids.service) };
  const foreign = { selfHosted: actor('Foreign'), managed: actor(ids.sibling) };
  strangers = [foreign.selfHosted, foreign.managed, actor(ids.foreignService)];
  ownObjects = { selfHosted: await make(own.selfHosted), managed: await make(own.managed, ids.pipe) };
  foreignObjects = {
    selfHosted: await make(foreign.selfHosted),
    managed: await make(foreign.managed, ids.siblingPipe),
  };
});

afterAll(() => world?.close());

/** One of each, and a delivery of the alert whose message has the alert's id. */
async function make(actor: TenantActor, pipe?: string): Promise<TenantObjects> {
  const { tenantId } = actor;
  const objects = await actor.makeObjects(pipe ?? (await makePipe(tenantId)));
  const { alertLeases, evaluations, outbox } = world.metadata;
  const nowMs = world.clock.nowMs() + 24 * 3_600_000;
  const due = { owner: 'e', nowMs, dueBeforeMs: nowMs, leaseUntilMs: nowMs, max: 10_000 };
  const leased = (await alertLeases.claimDue(due)).find(({ alert }) => alert.id === objects.alert);
  if (!leased) throw new Error('the alert was not due');
  const made = messageOf(tenantId, { id: objects.alert, webhookId: objects.webhook, createdAtMs: nowMs });
  const { notification } = made;
  const message = { ...made, notification: { ...notification, alert: { ...notification.alert, id: objects.alert } } };
  // It fires, so that it can be acknowledged.
  const firing = { group: [], status: 'ALERT' as const, breaches: 1, firingSinceMs: 0, notifiedMs: 0 };
  const state = { status: 'ALERT' as const, groups: [firing] };
  await evaluations.commit(evaluationOf(leased, { state, notifications: [message], leaseUntilMs: 0 }));
  const attempt = { atMs: nowMs, durationMs: 1, status: 200 };
  await outbox.record({ message, attempts: 0, claim: '', receiverFailures: 0 }, attempt, { kind: 'delivered' });
  return objects;
}

async function makePipe(tenantId: string): Promise<string> {
  const id = randomIds.uuid();
  const at = new Date(world.clock.nowMs()).toISOString();
  await world.metadata.pipes.insert(tenantId, {
    id,
    createdAt: at,
    updatedAt: at,
    fields: { ...pipeBody, state: 'Running' },
  });
  return id;
}

interface Sent {
  row: Row;
  credential: Credential;
  objects: TenantObjects;
  /** Path of the resource; the own tenant's when absent. */
  place?: (resource: string) => string;
}

function send(flavour: FlavourName, { row, credential, objects, place }: Sent): Promise<WorldAnswer> {
  const toPath = place ?? (flavour === 'managed' ? (path: string) => managedPath(path) : selfHostedPath);
  const body = row.body?.(objects);
  return world.send(flavour, row.method, toPath(row.path(objects)), {
    authorization: credentials[credential],
    ...(body ? { body } : {}),
  });
}

/** Everything that the tenant has, to show that nothing was changed. */
async function everything(actor: TenantActor): Promise<string> {
  const lists = [
    'listDashboards',
    'listDeletedDashboards',
    'listAlerts',
    'listSources',
    'listWebhooks',
    'listConnections',
    'listSavedSearches',
    'listSilences',
  ];
  return JSON.stringify(await Promise.all(lists.map((id) => actor.act(id))));
}

/** Seed §Error object, decisions F5: self-hosted `{message}` (charts also `error`), managed exactly `{error, status}`. */
function expectError(
  answer: WorldAnswer,
  flavour: FlavourName,
  { resource, flavours }: Row,
  status: number,
  why: string,
) {
  expect(answer.status, `${why}: ${answer.text}`).toBe(status);
  const chartError = resource === 'charts' && flavours.includes(flavour);
  const text = expect.stringMatching(/./);
  const shape =
    flavour === 'managed' ? { error: text, status } : { message: text, ...(chartError ? { error: text } : {}) };
  expect(answer.json, why).toEqual(shape);
}

function expectSuccess(answer: WorldAnswer, flavour: FlavourName, { operation }: Row, why: string): void {
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

it('the table names every operation', () => {
  const mounted = world.operations.map(({ id, flavours }) => [id, [...flavours].sort()]);
  expect(mounted.sort()).toEqual(table.map(({ operation, flavours }) => [operation, [...flavours].sort()]).sort());
});

describe.each(both)('%s', (flavour) => {
  const offered = table.filter(({ flavours }) => flavours.includes(flavour));
  const notOffered = table.filter(({ flavours }) => !flavours.includes(flavour));
  const of = (standing: Standing): Credential[] =>
    everyCredential.filter((credential) => standingOf(flavour, credential) === standing);

  describe.each(offered)('$operation', (row) => {
    it('takes a valid key of the tenant', async () => {
      for (const credential of [...of('admin'), ...(row.access === 'read' ? of('read') : [])]) {
        const objects = row.access === 'read' ? ownObjects[flavour] : await make(own[flavour]);
        expectSuccess(await send(flavour, { row, credential, objects }), flavour, row, credential);
      }
    });

    it('rejects all others with 401 or 403, whatever object is named, and changes nothing', async () => {
      const before = await Promise.all([own[flavour], ...strangers].map(everything));
      for (const status of [401, 403] as const) {
        for (const credential of of(status)) {
          for (const objects of [ownObjects[flavour], foreignObjects[flavour], missingObjects]) {
            expectError(await send(flavour, { row, credential, objects }), flavour, row, status, credential);
          }
        }
      }
      if (row.access === 'write') {
        for (const credential of of('read')) {
          for (const objects of [ownObjects[flavour], foreignObjects[flavour], missingObjects]) {
            const answer = await send(flavour, { row, credential, objects });
            expectError(answer, flavour, row, 403, credential);
            expect(answer.text).toContain('This key is read-only.');
          }
        }
      }
      expect(await Promise.all([own[flavour], ...strangers].map(everything))).toEqual(before);
    });

    const { unknown } = row;
    if (unknown !== undefined) {
      it('knows the objects of other tenants as little as those that do not exist', async () => {
        const before = await Promise.all(strangers.map(everything));
        const expected = unknown === 404 ? 404 : unknown[flavour];
        for (const credential of [...of('admin'), ...(row.access === 'read' ? of('read') : [])]) {
          const missing = await send(flavour, { row, credential, objects: missingObjects });
          expectError(missing, flavour, row, expected, credential);
          const foreign = await send(flavour, { row, credential, objects: foreignObjects[flavour] });
          expect(withoutIds(foreign), credential).toEqual(withoutIds(missing));
        }
        expect(await Promise.all(strangers.map(everything))).toEqual(before);
      });
    }

    it('shows another tenant nothing of this one', async () => {
      for (const credential of of('otherTenant')) {
        const objects = ownObjects[flavour];
        const before = await everything(own[flavour]);
        const answer = await send(flavour, { row, credential, objects });
        if (unknown !== undefined) expect(answer.status).toBe(unknown === 404 ? 404 : unknown[flavour]);
        const secrets = Object.values(objects).filter((id) => !JSON.stringify(row.body?.(objects) ?? '').includes(id));
        for (const id of secrets) expect(answer.text, row.operation).not.toContain(id);
        expect(await everything(own[flavour])).toBe(before);
      }
    });
  });

  describe.each(notOffered)('$operation is not offered (seed §What the service does 6)', (row) => {
    it('and is not a path at all', async () => {
      for (const credential of everyCredential) {
        const answer = await send(flavour, { row, credential, objects: ownObjects[flavour] });
        expectError(answer, flavour, row, 404, credential);
      }
    });
  });
});

describe('managed: the service in the path (decisions P4)', () => {
  const offered = table.filter(({ flavours }) => flavours.includes('managed'));
  const nobody = 'eeeeeeee-eeee-4eee-8eee-eeeeeeeeeeee';
  const place = (organization: string, service: string) => (resource: string) =>
    managedPath(resource, organization, service);

  it.each(offered)(
    '$operation: 403 for another tenant’s organization or service, and for one that does not exist',
    async (row) => {
      const before = await Promise.all(strangers.map(everything));
      const places = [
        place(ids.foreignOrganization, ids.foreignService),
        place(ids.foreignOrganization, ids.service),
        place(ids.organization, ids.foreignService),
        place(ids.organization, nobody),
        place(nobody, nobody),
      ];
      const texts = new Set<string>();
      for (const credential of ['cloud admin', 'cloud read'] as const) {
        for (const there of places) {
          const answer = await send('managed', { row, credential, objects: foreignObjects.managed, place: there });
          expectError(answer, 'managed', row, 403, credential);
          texts.add(answer.text);
        }
      }
      expect(texts.size).toBe(1);
      expect(await Promise.all(strangers.map(everything))).toEqual(before);
    },
  );

  it.each(offered)('$operation: 400 for a malformed UUID, but 401 without a key', async (row) => {
    for (const there of [place('acme', ids.service), place(ids.organization, 'production'), place('%00', 'x')]) {
      const objects = ownObjects.managed;
      const known = await send('managed', { row, credential: 'cloud admin', objects, place: there });
      expectError(known, 'managed', row, 400, row.operation);
      const unknown = await send('managed', { row, credential: 'none', objects, place: there });
      expectError(unknown, 'managed', row, 401, row.operation);
    }
  });

  it('a key of several services reaches each of them, ids in any case', async () => {
    const upper = place(ids.organization.toUpperCase(), ids.sibling.toUpperCase());
    const answer = await world.send('managed', 'GET', upper('/dashboards'), {
      authorization: credentials['cloud of another service'],
    });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain(foreignObjects.managed.dashboard);
  });
});

/** Ids that the request itself named may appear in the answer. */
function withoutIds({ status, text }: WorldAnswer): [number, string] {
  const ids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{24}/g;
  return [status, text.replaceAll(ids, '<id>')];
}
