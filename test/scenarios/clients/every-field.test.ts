import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiWorld } from '../../support/api-world.ts';
import * as fields from '../../support/client-fields.ts';
import { alertBody, connectionBody, TenantActor, type TenantObjects } from '../../support/tenant-objects.ts';
import { credentials, selfHostedPath, twoTenancies } from '../../support/two-tenancies.ts';
import { minimal } from '../sources/source-api.ts';

/**
 * decisions F8: nothing is accepted and ignored. What is accepted comes back, and everything else is rejected with a sentence
 * that names it. Whatever GET returns, validate calls valid and PUT takes, and then GET returns the same.
 */
let world: ApiWorld;
let own: TenantObjects;
let connection: string;

beforeAll(async () => {
  world = await ApiWorld.open(twoTenancies);
  const [team] = await world.metadata.identities.listTenants();
  const principal = await tenantOf();
  own = await new TenantActor(world.operations, principal ?? team?.id ?? '').makeObjects();
  const sources = (await call('GET', '/sources')).data as { connection: string }[];
  connection = sources[0]?.connection ?? '';
});
afterAll(() => world?.close());

interface Answered {
  status: number;
  data: unknown;
  text: string;
}

async function call(method: string, path: string, body?: object): Promise<Answered> {
  const request = { authorization: credentials.personal, ...(body && { body }) };
  const { status, json, text } = await world.send('selfHosted', method, selfHostedPath(path), request);
  return { status, data: (json as { data?: unknown }).data ?? json, text };
}

/** The tenant of the key that the calls are made with. */
async function tenantOf(): Promise<string | undefined> {
  return ((await call('GET', '/alerts')).data as { teamId?: string }[])[0]?.teamId;
}

function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value);
}

/** A copy of the body with the value at the path. */
function having(body: object, path: string, value: unknown): object {
  const copy = structuredClone(body) as Record<string, unknown>;
  const steps = path.split('.');
  const last = steps.pop() ?? '';
  const place = steps.reduce<Record<string, unknown>>((inner, key) => inner[key] as Record<string, unknown>, copy);
  place[last] = value;
  return copy;
}

interface Sent {
  resource: string;
  body: object;
  path: string;
  value: unknown;
}

/** What is wrong with the treatment of one field; nothing if it came back or was rejected by name. */
async function wrongWith({ resource, body, path, value }: Sent): Promise<string[]> {
  const sent = having(body, path, value);
  const made = await call('POST', `/${resource}`, sent);
  const what = `${path} = ${JSON.stringify(value)}`;
  const result = resource === 'dashboards' ? await call('POST', '/dashboards/validate', sent) : undefined;
  const isValid = (result?.data as { valid?: boolean } | undefined)?.valid;
  if (result && isValid !== (made.status === 200)) return [`${what}: validate says ${isValid}, POST ${made.status}`];
  if (made.status !== 200) return rejectionProblems(made, resource, what, path);
  const { id } = made.data as { id: string };
  const problems = [
    ...comesBack(await read(resource, id), path, value, what),
    ...(await writesBack(resource, id, what)),
  ];
  await call('DELETE', `/${resource}/${id}`);
  return problems;
}

function rejectionProblems({ status, text }: Answered, resource: string, what: string, path: string): string[] {
  const expected = resource === 'dashboards' ? 500 : 400;
  const message = (JSON.parse(text) as { message?: string }).message ?? '';
  const isSentence = message.includes(path.split('.').at(-1) ?? '') || message.includes(path.split('.')[0] ?? '');
  return status === expected && isSentence ? [] : [`${what}: ${status} ${text.slice(0, 200)}`];
}

function comesBack(record: object, path: string, value: unknown, what: string): string[] {
  const found = at(record, path);
  if (value === null ? found === null || found === undefined : isDeepStrictEqual(found, value)) return [];
  // Null means absent: then there is the default.
  if (value === null && [false, 'TimestampTime'].some((each) => each === found)) return [];
  return [`${what}: accepted, but comes back as ${JSON.stringify(found)}`];
}

async function read(resource: string, id: string): Promise<object> {
  if (resource !== 'webhooks') return (await call('GET', `/${resource}/${id}`)).data as object;
  const all = (await call('GET', '/webhooks')).data as { id: string }[];
  return all.find((each) => each.id === id) ?? {};
}

async function writesBack(resource: string, id: string, what: string): Promise<string[]> {
  const before = await read(resource, id);
  const put = await call('PUT', `/${resource}/${id}`, before);
  if (put.status !== 200) return [`${what}: PUT of the GET answers ${put.status} ${put.text.slice(0, 200)}`];
  const after = await read(resource, id);
  const same = isDeepStrictEqual({ ...after, updatedAt: '' }, { ...before, updatedAt: '' });
  return same ? [] : [`${what}: PUT of the GET changed it`];
}

async function wrongFields(resource: string, body: object, table: Record<string, readonly unknown[]>, prefix = '') {
  const problems: string[] = [];
  for (const [key, values] of Object.entries(table)) {
    for (const value of values) problems.push(...(await wrongWith({ resource, body, path: prefix + key, value })));
  }
  return problems;
}

const webhook = { name: 'every field', service: 'generic', url: 'http://127.0.0.1:9/hook' };
const place = { x: 0, y: 0, w: 4, h: 4, name: 't' };
const count = { aggFn: 'count' };
const dashboardOf = (tile: object) => ({
  name: 'd',
  containers: [{ id: 'box', title: 'Box', collapsed: false, tabs: [{ id: 'tab', title: 'Tab' }] }],
  tiles: [{ ...place, containerId: 'box', ...tile }],
});

function configOf(displayType: string): object {
  if (displayType === 'markdown') return { displayType };
  const selects: Record<string, unknown> = {
    search: 'Body',
    event_patterns: 'Body',
    heatmap: [{ valueExpression: 'Duration' }],
  };
  return { displayType, sourceId: own.source, select: selects[displayType] ?? [count] };
}

describe('every field that clients of today document is stored, or rejected with a sentence', () => {
  it('dashboards', async () => {
    expect(await wrongFields('dashboards', dashboardOf({}), fields.dashboardFields)).toEqual([]);
    const filter = { type: 'QUERY_EXPRESSION', name: 'Service', expression: 'ServiceName', sourceId: own.source };
    for (const [type, table] of Object.entries(fields.filterFields)) {
      const body = { ...dashboardOf({}), filters: [{ ...filter, type }] };
      expect(await wrongFields('dashboards', body, table, 'filters.0.')).toEqual([]);
    }
  });

  it('tiles and their series', async () => {
    const series = { sourceId: own.source, aggFn: 'count', where: '', groupBy: [] };
    expect(await wrongFields('dashboards', dashboardOf({ series: [series] }), fields.tileFields, 'tiles.0.')).toEqual(
      [],
    );
    for (const [type, table] of Object.entries(fields.seriesFields)) {
      const body = dashboardOf({ series: [{ ...series, type }] });
      expect(await wrongFields('dashboards', body, table, 'tiles.0.series.0.')).toEqual([]);
    }
  });

  it.each(Object.entries(fields.configFields))('config of %s', async (displayType, table) => {
    const body = dashboardOf({ config: configOf(displayType) });
    expect(await wrongFields('dashboards', body, table, 'tiles.0.config.')).toEqual([]);
  });

  it.each(Object.entries(fields.sqlConfigFields))('config of raw SQL as %s', async (displayType, table) => {
    const config = { displayType, configType: 'sql', connectionId: connection, sqlTemplate: 'SELECT 1' };
    expect(await wrongFields('dashboards', dashboardOf({ config }), table, 'tiles.0.config.')).toEqual([]);
  });

  it('select items and formats of numbers', async () => {
    const body = (item: object) => dashboardOf({ config: { ...configOf('line'), select: [item] } });
    const sum = { aggFn: 'sum', valueExpression: 'Duration' };
    expect(await wrongFields('dashboards', body(sum), fields.selectItem, 'tiles.0.config.select.0.')).toEqual([]);
    const formatted = dashboardOf({ config: { ...configOf('line'), numberFormat: { output: 'number' } } });
    const at = 'tiles.0.config.numberFormat.';
    expect(await wrongFields('dashboards', formatted, fields.numberFormatFields, at)).toEqual([]);
  });

  it('alerts and their channels', async () => {
    const body = alertBody(own);
    expect(await wrongFields('alerts', body, fields.alertFields)).toEqual([]);
    expect(await wrongFields('alerts', body, fields.channelFields, 'channel.')).toEqual([]);
    const { channel, ...rest } = body;
    expect(await wrongFields('alerts', { ...rest, channels: [channel] }, fields.channelFields, 'channels.0.')).toEqual(
      [],
    );
  });

  it.each(Object.entries(fields.sourceFields))('sources of kind %s', async (kind, table) => {
    const { from, ...rest } = minimal[kind as keyof typeof minimal];
    const databaseName = ((await call('GET', `/sources/${own.source}`)).data as { from: { databaseName: string } }).from
      .databaseName;
    const body = { ...rest, connection, from: { ...from, databaseName } };
    const local = JSON.parse(JSON.stringify(table).replaceAll('"otel"', JSON.stringify(databaseName)));
    expect(await wrongFields('sources', body, local)).toEqual([]);
  });

  it('connections, webhooks and saved searches', async () => {
    expect(await wrongFields('connections', connectionBody('c'), fields.connectionFields)).toEqual([]);
    const named = { ...fields.webhookFields, url: ['http://127.0.0.1:9/other'] };
    expect(await wrongFields('webhooks', webhook, named)).toEqual([]);
    expect(await wrongFields('saved-searches', { name: 's', sourceId: own.source }, fields.savedSearchFields)).toEqual(
      [],
    );
  });

  /** Any of the documented fields together, each with one of its values. */
  const anyOf = (table: Record<string, readonly unknown[]>) =>
    fc.record(Object.fromEntries(Object.entries(table).map(([key, values]) => [key, fc.constantFrom(...values)])), {
      requiredKeys: [],
    });

  /** A body that is taken can be read and written back unchanged; one that is not is no failure of ours. */
  async function holdsTogether(resource: string, body: object): Promise<void> {
    const made = await call('POST', `/${resource}`, body);
    expect([200, 400, 409], made.text).toContain(made.status);
    if (made.status !== 200) return;
    const { id } = made.data as { id: string };
    expect(await writesBack(resource, id, JSON.stringify(body))).toEqual([]);
    await call('DELETE', `/${resource}/${id}?force=true`);
  }

  it.each([
    ['alerts', fields.alertFields, () => alertBody(own)],
    ['connections', fields.connectionFields, () => connectionBody('c')],
    ['webhooks', { ...fields.webhookFields, url: ['http://127.0.0.1:9/other'] }, () => webhook],
    ['saved-searches', fields.savedSearchFields, () => ({ name: 's', sourceId: own.source })],
    ['silences', fields.silenceFields, () => ({ name: 'Release', match: {}, endsAt: '2099-01-01T00:00:00Z' })],
  ] as [string, Record<string, readonly unknown[]>, () => object][])(
    'any of them together: what GET /%s returns, PUT takes, and nothing is a 500',
    async (resource, table, base) => {
      await fc.assert(
        fc.asyncProperty(anyOf(table), async (given) => {
          const body = { ...base(), ...given };
          await holdsTogether(resource, body);
          if (resource !== 'alerts') return;
          const past = { startTime: world.clock.nowMs() - 7_200_000, endTime: world.clock.nowMs() };
          expect((await call('POST', '/alerts/preview', { alert: body, ...past })).status).toBeLessThan(500);
        }),
        { numRuns: 40 },
      );
    },
  );

  it.each(Object.keys(fields.sourceFields))('any of them together for sources of kind %s', async (kind) => {
    const { from, ...rest } = minimal[kind as keyof typeof minimal];
    const { databaseName } = ((await call('GET', `/sources/${own.source}`)).data as { from: { databaseName: string } })
      .from;
    const table = JSON.parse(
      JSON.stringify(fields.sourceFields[kind]).replaceAll('"otel"', JSON.stringify(databaseName)),
    );
    await fc.assert(
      fc.asyncProperty(anyOf(table), async (given) => {
        const body = { ...rest, connection, from: { ...from, databaseName }, ...given };
        expect((await call('POST', '/sources/check', body)).status).toBeLessThan(500);
        await holdsTogether('sources', body);
      }),
      { numRuns: 25 },
    );
  });

  it('every route drops an unknown key', async () => {
    const bodies: [string, object][] = [
      ['dashboards', dashboardOf({})],
      ['alerts', alertBody(own)],
      ['connections', connectionBody('c')],
      ['webhooks', { name: 'unknown key', service: 'generic', url: 'http://127.0.0.1:9/hook' }],
      ['saved-searches', { name: 's', sourceId: own.source }],
      ['silences', { name: 'Release', match: {}, endsAt: '2099-01-01T00:00:00Z' }],
    ];
    for (const [resource, body] of bodies) {
      const made = await call('POST', `/${resource}`, { ...body, ownKeyOfNobody: true });
      expect([resource, made.status, made.text.includes('ownKeyOfNobody')]).toEqual([resource, 200, false]);
    }
  });
});
