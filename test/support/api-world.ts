import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { Registry } from 'prom-client';
import { CloudKeyAuthenticator, PersonalKeyAuthenticator } from '../../src/access/key-authenticators.ts';
import { KeyLookup } from '../../src/access/key-lookup.ts';
import { hashCredential } from '../../src/access/key-secret.ts';
import { KeyService } from '../../src/access/key-service.ts';
import { proxyTokenHeader } from '../../src/access/proxy-token.ts';
import { SecretBox } from '../../src/access/secret-box.ts';
import { SessionCookie } from '../../src/access/session-cookie.ts';
import { TenantCache } from '../../src/access/tenant-cache.ts';
import { applyProvisioning } from '../../src/app/provisioning/apply-provisioning.ts';
import { provisioningStore } from '../../src/app/provisioning/provisioning-store.ts';
import { readProvisioning } from '../../src/app/provisioning/read-provisioning.ts';
import { createServices } from '../../src/app/services.ts';
import type { TelemetryStore } from '../../src/app/telemetry-store.ts';
import { createWebAccounts } from '../../src/app/web-accounts.ts';
import { buildApiServer } from '../../src/http/api-server.ts';
import { managedFlavour } from '../../src/http/flavours/managed.ts';
import { selfHostedFlavour } from '../../src/http/flavours/self-hosted.ts';
import type { FlavourName, Operation } from '../../src/http/operation.ts';
import type { RateLimit } from '../../src/http/rate-limiter.ts';
import type { RequestDone } from '../../src/http/request-done.ts';
import { requestLimiters } from '../../src/http/request-limiters.ts';
import { requestMetrics } from '../../src/http/request-metrics.ts';
import { WebSessions } from '../../src/http/web-sessions.ts';
import { CleanupStack } from '../../src/kernel/cleanup-stack.ts';
import { FakeClock } from '../../src/kernel/fake-clock.ts';
import { randomIds as ids } from '../../src/kernel/ids.ts';
import { inlineWorkers } from '../../src/kernel/inline-workers.ts';
import { RecordingLogger } from '../../src/kernel/recording-logger.ts';
import { noTracer } from '../../src/kernel/tracer.ts';
import { type MetadataStore, openMetadata } from '../../src/metadata/open-metadata.ts';
import { SsrfGuard } from '../../src/notify/target-guard.ts';
import { FakeConnector } from '../../src/pipes/fake-connector.ts';
import { connectorsOf } from '../../src/pipes/run-check.ts';
import { testLogs } from '../../src/query/testing.ts';
import { uncountedQueries } from '../../src/telemetry/query-metrics.ts';
import { FakeQueryRunner } from '../../src/telemetry/testing.ts';

/** `api`: takes cookies only of requests that the web role of another process vouches for (`vouchedFor`). */
export type PeoplesPort = 'web' | 'api';

const publicUrl = 'https://obs.example.com';
const cookie = new SessionCookie(publicUrl);
const proxyToken = 'a token for tests';
export const vouchedFor = { [proxyTokenHeader]: proxyToken };

export interface WorldOptions {
  rateLimit?: RateLimit;
  aliases?: boolean;
}

export interface WorldRequest {
  authorization?: string | undefined;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface WorldTextRequest {
  authorization?: string | undefined;
  text?: string;
  headers?: Record<string, string> | undefined;
}

export interface WorldAnswer {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  text: string;
  json: unknown;
}

/**
 * Both flavours of the API over one embedded store with real keys, real tenants and everything that the program mounts;
 * only the telemetry store is a fake. Filled by a provisioning file for both flavours.
 */
export class ApiWorld {
  readonly clock = new FakeClock();
  readonly logger = new RecordingLogger();
  readonly metrics = new Registry();
  readonly spans: RequestDone[] = [];
  /** Answers no row unless specified otherwise. */
  readonly queries = new FakeQueryRunner();
  readonly operations: readonly Operation[];
  readonly metadata: MetadataStore;
  readonly folder: string;
  readonly #servers: Record<FlavourName, FastifyInstance>;
  readonly #peoplesPorts: () => Record<PeoplesPort, FastifyInstance>;
  readonly #cleanup: CleanupStack;

  private constructor(
    parts: { folder: string; metadata: MetadataStore; cleanup: CleanupStack },
    options: WorldOptions,
  ) {
    const { folder, metadata, cleanup } = parts;
    [this.folder, this.metadata, this.#cleanup] = [folder, metadata, cleanup];
    const { clock, logger } = this;
    const tenants = new TenantCache(metadata.identities, clock);
    const services = createServices({
      connectors: connectorsOf([new FakeConnector()]),
      workers: inlineWorkers,
      proxies: { direct: [] },
      repositories: metadata,
      telemetry: telemetryOf(this.queries),
      metrics: { registry: new Registry(), queries: () => uncountedQueries },
      tracer: noTracer,
      tenants,
      secrets,
      targets: new SsrfGuard(['127.0.0.1']),
      publicUrl,
      clock,
      ids,
      logger,
      cleanup,
      mistimedRecords: { recent: () => [] },
      onAlertScheduled: () => {},
    });
    this.operations = services.operations;
    const lookup = new KeyLookup({ keys: metadata.identities, clock, logger });
    const common = {
      operations: services.operations,
      clock,
      ids,
      logger,
      readiness: { report: async () => ({ parts: {} }) },
      metrics: this.metrics,
      observers: [requestMetrics(this.metrics), (done: RequestDone) => void this.spans.push(done)],
      version: '0.0.0',
      limiters: options.rateLimit && requestLimiters(options.rateLimit, clock),
    };
    const managed = managedFlavour(new CloudKeyAuthenticator(lookup, tenants), { aliases: options.aliases ?? false });
    this.#servers = {
      selfHosted: buildApiServer({ ...common, flavour: selfHostedFlavour(new PersonalKeyAuthenticator(lookup)) }),
      managed: buildApiServer({ ...common, flavour: managed }),
    };
    for (const server of Object.values(this.#servers)) cleanup.push('server', () => server.close());
    this.#peoplesPorts = once(() => {
      const { sessions } = createWebAccounts({ identities: metadata.identities, flavour: 'managed', clock, ids });
      const web = { sessions, cookie, publicOrigin: publicUrl };
      const ports = {
        web: buildApiServer({ ...common, flavour: managed, webSessions: new WebSessions(web) }),
        api: buildApiServer({ ...common, flavour: managed, webSessions: new WebSessions({ ...web, proxyToken }) }),
      };
      for (const server of Object.values(ports)) cleanup.push('server', () => server.close());
      return ports;
    });
  }

  static async open(provisioning: object, options: WorldOptions = {}): Promise<ApiWorld> {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-world-'));
    const cleanup = new CleanupStack();
    cleanup.push('folder', () => rmSync(folder, { recursive: true, force: true }));
    const logger = new RecordingLogger();
    const metadata = await openMetadata({
      location: { kind: 'embedded', file: join(folder, 'metadata.db') },
      clock: new FakeClock(),
      logger,
    });
    cleanup.push('metadata', () => metadata.close());
    const world = new ApiWorld({ folder, metadata, cleanup }, options);
    await world.provision(provisioning);
    return world;
  }

  /** Applies a file for both flavours, as two starts of the program would. */
  provision(file: object): Promise<void> {
    return this.provisionText(JSON.stringify(file));
  }

  /** The same with the file's text, which may be wrong. */
  async provisionText(text: string): Promise<void> {
    const { clock, metadata } = this;
    const read = readProvisioning('provisioning.yaml', text, () => undefined);
    const store = provisioningStore({ metadata, secrets, ids, clock });
    const targets = new SsrfGuard(['127.0.0.1']);
    for (const flavour of ['selfHosted', 'managed'] as const) {
      await applyProvisioning(read, flavour, { store, targets, ids, clock, firstDatabase: 'otel' });
    }
  }

  /** Ends the key with this credential immediately. */
  async revoke(credential: string): Promise<void> {
    const key = await this.metadata.identities.findKeyByHash(hashCredential(credential));
    if (!key) throw new Error('there is no such key');
    await new KeyService(this.metadata.identities, { ids, clock: this.clock }).revoke(key.id);
  }

  /** Sends JSON, without a port. */
  send(flavour: FlavourName, method: string, url: string, request: WorldRequest = {}): Promise<WorldAnswer> {
    const { authorization, body, headers } = request;
    if (body === undefined) return this.sendText(flavour, method, url, { authorization, headers });
    const type = { 'content-type': 'application/json', ...headers };
    return this.sendText(flavour, method, url, { authorization, headers: type, text: JSON.stringify(body) });
  }

  /** Sends any text as it is, without a port. */
  async sendText(flavour: FlavourName, method: string, url: string, request: WorldTextRequest): Promise<WorldAnswer> {
    return inject(this.#servers[flavour], method, url, request);
  }

  /** Sends JSON to a port of the managed flavour on which people's cookies count, without opening it. */
  sendToPeoplesPort(port: PeoplesPort, method: string, url: string, request: WorldRequest): Promise<WorldAnswer> {
    const { authorization, body, headers } = request;
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const text = body === undefined ? {} : { text: JSON.stringify(body) };
    return inject(this.#peoplesPorts()[port], method, url, {
      authorization,
      headers: { ...type, ...headers },
      ...text,
    });
  }

  /** Adds a person to an organization and logs them in; answers the `Cookie` header of their browser. */
  async logInTo(organizationId: string): Promise<string> {
    const { identities } = this.metadata;
    const id = ids.hex24();
    const user = { id, organizationId, email: `${id}@example.com`, passwordHash: 'x', createdAtMs: this.clock.nowMs() };
    await identities.insertOrganizationUser(user);
    const { sessions } = createWebAccounts({ identities, flavour: 'managed', clock: this.clock, ids });
    const { token } = await sessions.open(user);
    return cookie.set(token).split(';')[0] ?? '';
  }

  /** Opens a real port; answers its origin. */
  listen(flavour: FlavourName): Promise<string> {
    return this.#servers[flavour].listen({ port: 0, host: '127.0.0.1' });
  }

  async close(): Promise<void> {
    await this.#cleanup.unwind((name, error) => {
      throw new Error(`${name} could not be closed`, { cause: error });
    });
  }
}

const secrets = new SecretBox('a secret key for tests');

/** Of logs and of metrics, so that every source finds its own. */
const everyColumn = new Map([
  ...testLogs.table.columns,
  ['TimeUnix', 'DateTime64(9)'],
  ['MetricName', 'LowCardinality(String)'],
]);

function telemetryOf(queries: FakeQueryRunner): Omit<TelemetryStore, 'tables'> {
  return {
    queries,
    tableSchemas: { describe: async (database) => ({ ...testLogs.table, database, columns: everyColumn }) },
    databases: { ensure: async () => {} },
    inserter: { insert: async () => {} },
    ping: async () => {},
  };
}

async function inject(
  server: FastifyInstance,
  method: string,
  url: string,
  { authorization, text, headers }: WorldTextRequest,
): Promise<WorldAnswer> {
  const answer = await server.inject({
    method: method as 'GET',
    url,
    headers: { ...(authorization === undefined ? {} : { authorization }), ...headers },
    ...(text === undefined ? {} : { payload: text }),
  });
  return { status: answer.statusCode, headers: answer.headers, text: answer.body, json: parsed(answer.body) };
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
