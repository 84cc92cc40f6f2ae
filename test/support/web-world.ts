import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { Registry } from 'prom-client';
import { CloudKeyAuthenticator, PersonalKeyAuthenticator } from '../../src/access/key-authenticators.ts';
import { KeyLookup } from '../../src/access/key-lookup.ts';
import { hashCredential } from '../../src/access/key-secret.ts';
import { KeyService } from '../../src/access/key-service.ts';
import { proxyTokenOf } from '../../src/access/proxy-token.ts';
import { SecretBox } from '../../src/access/secret-box.ts';
import { SessionCookie } from '../../src/access/session-cookie.ts';
import { TenantCache } from '../../src/access/tenant-cache.ts';
import { accessOperations } from '../../src/app/access-operations.ts';
import { bootstrapStore, type FirstKeys } from '../../src/app/bootstrap.ts';
import { identityTransactions } from '../../src/app/identity-transactions.ts';
import { pipeLifecycle, pipeService } from '../../src/app/pipe-service.ts';
import { applyProvisioning } from '../../src/app/provisioning/apply-provisioning.ts';
import { provisioningStore } from '../../src/app/provisioning/provisioning-store.ts';
import { readProvisioning } from '../../src/app/provisioning/read-provisioning.ts';
import { createWebAccounts } from '../../src/app/web-accounts.ts';
import { buildApiServer } from '../../src/http/api-server.ts';
import { managedFlavour } from '../../src/http/flavours/managed.ts';
import { selfHostedFlavour } from '../../src/http/flavours/self-hosted.ts';
import type { FlavourName, Operation } from '../../src/http/operation.ts';
import type { RateLimit } from '../../src/http/rate-limiter.ts';
import { requestLimiters } from '../../src/http/request-limiters.ts';
import { WebSessions } from '../../src/http/web-sessions.ts';
import { CleanupStack } from '../../src/kernel/cleanup-stack.ts';
import { FakeClock } from '../../src/kernel/fake-clock.ts';
import { randomIds as ids } from '../../src/kernel/ids.ts';
import { RecordingLogger } from '../../src/kernel/recording-logger.ts';
import { type MetadataStore, openMetadata } from '../../src/metadata/open-metadata.ts';
import { SsrfGuard } from '../../src/notify/target-guard.ts';
import { connectorsOf } from '../../src/pipes/run-check.ts';
import { StoredReferenceUsers } from '../../src/resources/dashboards/stored-reference-users.ts';
import { pipeOperations } from '../../src/resources/pipes/operations/pipe-operations.ts';
import { sourceOperations } from '../../src/resources/sources/operations/source-operations.ts';
import { SourceService } from '../../src/resources/sources/source-service.ts';
import { DocumentedAnswers } from './documented-answers.ts';

export const publicUrl = 'https://obs.example.com/watch';
export const publicOrigin = 'https://obs.example.com';
const secretKey = 'a secret key for tests';

export interface WebAnswer {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  text: string;
  /** What the envelope holds; the whole body of an error. */
  data: unknown;
}

export interface WebRequest {
  body?: unknown;
  headers?: Record<string, string>;
}

/**
 * The web port and the API port of one flavour over one embedded store: people, keys, teams and organizations as the
 * program mounts them, and sources and pipes to represent everything else.
 */
export class WebWorld {
  readonly flavour: FlavourName;
  readonly clock = new FakeClock();
  readonly logger = new RecordingLogger();
  readonly metadata: MetadataStore;
  /** Operations on teams, keys and organizations. */
  readonly access: readonly Operation[];
  readonly ports: Record<'web' | 'api', FastifyInstance>;
  /** Of an otherwise empty self-hosted store. */
  firstKeys: FirstKeys | undefined;
  readonly #cleanup: CleanupStack;
  #documented: DocumentedAnswers | undefined;

  private constructor(
    flavour: FlavourName,
    { metadata, cleanup, rateLimit }: { metadata: MetadataStore; cleanup: CleanupStack; rateLimit?: RateLimit },
  ) {
    this.flavour = flavour;
    this.metadata = metadata;
    this.#cleanup = cleanup;
    const { clock, logger } = this;
    const secrets = new SecretBox(secretKey);
    const { identities, sources, connections, pipes, pipeRuns: runs } = metadata;
    const tenants = new TenantCache(identities, clock);
    const lookup = new KeyLookup({ keys: identities, clock, logger });
    const accounts = createWebAccounts({ identities, flavour, clock, ids });
    const telemetry = { firstDatabase: 'otel', retentionDays: { logs: 30, traces: 14, metrics: 7 } };
    this.access = accessOperations({ metadata, telemetry, secrets, publicUrl, clock, ids });
    const common = {
      flavour:
        flavour === 'managed'
          ? managedFlavour(new CloudKeyAuthenticator(lookup, tenants))
          : selfHostedFlavour(new PersonalKeyAuthenticator(lookup)),
      operations: [
        ...this.access,
        ...sourceOperations(
          new SourceService({ sources, connections, users: new StoredReferenceUsers(metadata), tenants, ids }),
          { recent: () => [] },
        ),
        ...pipeOperations(
          pipeService({ pipes, runs, secrets, clock }),
          pipeLifecycle({
            pipes,
            runs,
            secrets,
            clock,
            ids,
            tenants,
            logger: new RecordingLogger(),
            connectors: connectorsOf([]),
          }),
        ),
        ...accounts.operations,
      ],
      clock,
      ids,
      logger,
      readiness: { report: async () => ({ parts: {} }) },
      metrics: new Registry(),
      version: '0.0.0',
      limiters: rateLimit && requestLimiters(rateLimit, clock),
    };
    const sessions = { sessions: accounts.sessions, cookie: new SessionCookie(publicUrl), publicOrigin };
    const proxyToken = proxyTokenOf(secretKey);
    this.ports = {
      web: buildApiServer({ ...common, webSessions: new WebSessions(sessions) }),
      api: buildApiServer({ ...common, webSessions: new WebSessions({ ...sessions, proxyToken }) }),
    };
    for (const server of Object.values(this.ports)) cleanup.push('server', () => server.close());
  }

  /** With a provisioning file, or else as a new store starts. */
  static async open(
    flavour: FlavourName,
    options: { provisioning?: object; rateLimit?: RateLimit } = {},
  ): Promise<WebWorld> {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-web-'));
    const cleanup = new CleanupStack();
    cleanup.push('folder', () => rmSync(folder, { recursive: true, force: true }));
    const clock = new FakeClock();
    const location = { kind: 'embedded', file: join(folder, 'metadata.db') } as const;
    const metadata = await openMetadata({ location, clock, logger: new RecordingLogger(), watchTransactions: true });
    cleanup.push('metadata', () => metadata.close());
    const { rateLimit } = options;
    const world = new WebWorld(flavour, { metadata, cleanup, ...(rateLimit ? { rateLimit } : {}) });
    if (options.provisioning) await world.provision(options.provisioning);
    else if (flavour === 'selfHosted') await world.#bootstrap();
    return world;
  }

  async provision(file: object): Promise<void> {
    const { clock, metadata } = this;
    const read = readProvisioning('provisioning.yaml', JSON.stringify(file), () => undefined);
    const store = provisioningStore({ metadata, secrets: new SecretBox(secretKey), ids, clock });
    const targets = new SsrfGuard([]);
    await applyProvisioning(read, this.flavour, { store, targets, ids, clock, firstDatabase: 'otel' });
  }

  /** Ends the key with this credential, where this flavour has it. */
  async revoke(credential: string): Promise<void> {
    const { identities } = this.metadata;
    const key = await identities.findKeyByHash(hashCredential(credential));
    if (key) await new KeyService(identities, { ids, clock: this.clock }).revoke(key.id);
  }

  async #bootstrap(): Promise<void> {
    const { clock, metadata } = this;
    const store = identityTransactions({ metadata, ids, clock });
    const publish = async (keys: FirstKeys): Promise<void> => {
      this.firstKeys = keys;
    };
    await bootstrapStore({ store, ids, clock, firstDatabase: 'otel', publish });
  }

  /** Path below `/api/v2` or `/v1`. */
  async send(port: 'web' | 'api', method: string, path: string, request: WebRequest = {}): Promise<WebAnswer> {
    const { body, headers } = request;
    const url = (this.flavour === 'managed' ? '/v1' : '/api/v2') + path;
    const answer = await this.ports[port].inject({
      method: method as 'GET',
      url,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    });
    const json: Record<string, unknown> = JSON.parse(answer.body || '{}');
    await this.#holdToDocument(method, url, { status: answer.statusCode, json });
    const data = json.data ?? json.result ?? json;
    return { status: answer.statusCode, headers: answer.headers, text: answer.body, data };
  }

  /** The web port's document has every operation. The API port does not have those of sessions: 404 there. */
  async #holdToDocument(method: string, url: string, answer: { status: number; json: unknown }): Promise<void> {
    if (answer.status === 404) return;
    const path = this.flavour === 'managed' ? '/v1/openapi.json' : '/api/v2/openapi.json';
    this.#documented ??= new DocumentedAnswers((await this.ports.web.inject({ url: path })).body);
    const problem = this.#documented.problemOf(method, url, answer);
    if (problem !== undefined) throw new Error(problem);
  }

  browser(): Browser {
    return new Browser(this);
  }

  close(): Promise<void> {
    return this.#cleanup.unwind((name, error) => {
      throw new Error(`${name} could not be closed`, { cause: error });
    });
  }
}

/** Speaks as a browser does from a page of the web UI: keeps the cookie, says where it comes from. */
export class Browser {
  /** `name=value`; absent while there is none. */
  cookie: string | undefined;
  readonly #world: WebWorld;

  constructor(world: WebWorld) {
    this.#world = world;
  }

  async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<WebAnswer> {
    const answer = await this.#world.send('web', method, path, {
      ...(body === undefined ? {} : { body }),
      headers: { 'sec-fetch-site': 'same-origin', ...(this.cookie ? { cookie: this.cookie } : {}), ...headers },
    });
    this.#keep(answer.headers['set-cookie']);
    return answer;
  }

  #keep(header: WebAnswer['headers'][string]): void {
    for (const text of [header].flat()) {
      if (typeof text !== 'string') continue;
      const pair = text.split(';')[0] ?? '';
      this.cookie = pair.endsWith('=') ? undefined : pair;
    }
  }
}
