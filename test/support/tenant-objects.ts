import type { Operation } from '../../src/http/operation.ts';
import { randomIds } from '../../src/kernel/ids.ts';

/** Ids of one object of each kind; the spare ones are used by nothing, so that they can be deleted. */
export interface TenantObjects {
  dashboard: string;
  deletedDashboard: string;
  tile: string;
  alert: string;
  source: string;
  webhook: string;
  connection: string;
  spareSource: string;
  spareWebhook: string;
  pipe: string;
  savedSearch: string;
  silence: string;
  spareSilence: string;
  spareSavedSearch: string;
  metricSource: string;
  traceSource: string;
}

const missing = 'ffffffffffffffffffffffff';

/** Unused ids. */
export const missingObjects: TenantObjects = {
  dashboard: missing,
  deletedDashboard: missing,
  tile: missing,
  alert: missing,
  source: missing,
  webhook: missing,
  connection: missing,
  spareSource: missing,
  spareWebhook: missing,
  savedSearch: missing,
  silence: missing,
  spareSilence: missing,
  spareSavedSearch: missing,
  metricSource: missing,
  traceSource: missing,
  pipe: 'ffffffff-ffff-4fff-8fff-ffffffffffff',
};

/** Runs operations as a tenant, also those that a flavour does not offer. */
export class TenantActor {
  readonly #operations: readonly Operation[];
  readonly tenantId: string;

  constructor(operations: readonly Operation[], tenantId: string) {
    this.#operations = operations;
    this.tenantId = tenantId;
  }

  async act<T>(id: string, body?: unknown, params: Record<string, string> = {}): Promise<T> {
    const operation = this.#operations.find((candidate) => candidate.id === id);
    if (!operation) throw new Error(`there is no operation ${id}`);
    const answer = await operation.handle({
      principal: { kind: 'personal', tenantId: this.tenantId, keyId: 'setup', role: 'admin' },
      params,
      query: {},
      body,
      signal: new AbortController().signal,
      requestId: 'setup',
    });
    if (answer.kind === 'none') return answer.meta as T;
    if (answer.kind === 'file') throw new Error(`${id} answers no JSON`);
    if (answer.kind === 'data') return answer.data as T;
    let json = answer.json;
    for await (const part of answer.rest ?? []) json += part;
    return JSON.parse(json) as T;
  }

  /** Makes one of each. */
  async makeObjects(pipe: string = missingObjects.pipe): Promise<TenantObjects> {
    const name = randomIds.hex24();
    const sources = await this.act<{ id: string; kind: string }[]>('listSources');
    const [log] = sources;
    if (log?.kind !== 'log') throw new Error('the first default source is the one of logs');
    const { id: source, ...sourceBody } = log;
    const webhookBody = { name, service: 'generic', url: 'http://127.0.0.1:9/hook' };
    const webhook = await this.act<{ id: string }>('createWebhook', webhookBody);
    const series = [{ sourceId: source, aggFn: 'count', where: '', groupBy: [] }];
    const dashboard = await this.act<{ id: string; tiles: { id: string }[] }>('createDashboard', {
      name,
      tiles: [{ name: 'Errors', series }],
    });
    const deleted = await this.act<{ id: string }>('createDashboard', { name: `${name} deleted` });
    await this.act('deleteDashboard', undefined, { id: deleted.id });
    const tile = dashboard.tiles[0]?.id ?? '';
    const refs = { dashboard: dashboard.id, tile, webhook: webhook.id };
    return {
      ...refs,
      deletedDashboard: deleted.id,
      source,
      pipe,
      metricSource: sources.find(({ kind }) => kind === 'metric')?.id ?? '',
      traceSource: sources.find(({ kind }) => kind === 'trace')?.id ?? '',
      savedSearch: (await this.act<{ id: string }>('createSavedSearch', { name, sourceId: source })).id,
      spareSavedSearch: (await this.act<{ id: string }>('createSavedSearch', { name, sourceId: source })).id,
      silence: (await this.act<{ id: string }>('createSilence', silenceBody())).id,
      spareSilence: (await this.act<{ id: string }>('createSilence', silenceBody())).id,
      alert: (await this.act<{ id: string }>('createAlert', alertBody(refs))).id,
      connection: (await this.act<{ id: string }>('createConnection', connectionBody(name))).id,
      spareSource: (await this.act<{ id: string }>('createSource', { ...sourceBody, name })).id,
      spareWebhook: (await this.act<{ id: string }>('createWebhook', { ...webhookBody, name: `${name} spare` })).id,
    };
  }
}

export function alertBody({ dashboard, tile, webhook }: Pick<TenantObjects, 'dashboard' | 'tile' | 'webhook'>) {
  return {
    dashboardId: dashboard,
    tileId: tile,
    threshold: 3,
    interval: '1h',
    source: 'tile',
    thresholdType: 'above',
    channel: { type: 'webhook', webhookId: webhook },
  };
}

export function silenceBody(parts: object = {}) {
  return { name: 'Release', match: parts, endsAt: '2099-01-01T00:00:00Z' };
}

export function connectionBody(name: string) {
  return { name, host: 'http://127.0.0.1:8123', username: 'reader', password: 'a-password' };
}
