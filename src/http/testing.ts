import { Registry } from 'prom-client';
import type { BasicAuthenticator, BearerAuthenticator, ManagedPlace } from '../access/authenticators.ts';
import type { Principal } from '../access/principal.ts';
import { FakeClock } from '../kernel/fake-clock.ts';
import { randomIds } from '../kernel/ids.ts';
import { RecordingLogger } from '../kernel/recording-logger.ts';
import { type ApiServerOptions, buildApiServer } from './api-server.ts';
import type { Flavour } from './flavours/flavour.ts';
import { managedFlavour } from './flavours/managed.ts';
import { selfHostedFlavour } from './flavours/self-hosted.ts';
import type { FlavourName, Operation } from './operation.ts';
import type { RateLimit } from './rate-limiter.ts';
import { requestLimiters } from './request-limiters.ts';

export const organizationId = '11111111-1111-4111-8111-111111111111';
export const serviceId = '22222222-2222-4222-8222-222222222222';
export const otherServiceId = '33333333-3333-4333-8333-333333333333';

/** Knows three keys: `admin` and `other` (another tenant) may write, `reader` may not. */
export class FakeKeys implements BearerAuthenticator, BasicAuthenticator {
  async authenticateBearer(authorization: string | undefined): Promise<Principal | undefined> {
    const key = /^bearer (.+)$/i.exec(authorization ?? '')?.[1];
    return key === undefined ? undefined : principalOf(key, 'personal');
  }

  async admitSession() {
    return { kind: 'unauthenticated' as const };
  }

  async authenticateBasic(authorization: string | undefined, path: ManagedPlace) {
    const [keyId = '', secret] = Buffer.from((authorization ?? '').replace(/^basic /i, ''), 'base64')
      .toString()
      .split(':');
    const principal = secret === 'secret' ? principalOf(keyId, 'cloud') : undefined;
    if (!principal) return { kind: 'unauthenticated' as const };
    const own = path.organizationId === organizationId && path.serviceId === principal.tenantId;
    return own ? { kind: 'principal' as const, principal } : { kind: 'forbidden' as const };
  }
}

function principalOf(key: string, kind: 'personal' | 'cloud'): Principal | undefined {
  if (!['admin', 'reader', 'other'].includes(key)) return undefined;
  const tenantId = key === 'other' ? otherServiceId : serviceId;
  return { kind, tenantId, keyId: key, role: key === 'reader' ? 'read' : 'admin' };
}

export interface TestAnswer {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  body: string;
  json: unknown;
}

export interface TestRequest {
  key?: 'admin' | 'reader' | 'other' | 'wrong' | 'none';
  body?: unknown;
  /** Sent as it is, instead of `body`. */
  text?: string;
  headers?: Record<string, string>;
}

/** Of one key, where the limits are not given as they are. */
export type TestApiOptions = Partial<ApiServerOptions> & { rateLimit?: RateLimit };

/** A server of one flavour on no port, and a client that speaks that flavour's paths, keys and envelopes. */
export class TestApi {
  readonly name: FlavourName;
  readonly clock = new FakeClock();
  readonly logger = new RecordingLogger();
  readonly server: ReturnType<typeof buildApiServer>;
  readonly #managed: boolean;

  constructor(name: FlavourName, operations: readonly Operation[], { rateLimit, ...options }: TestApiOptions = {}) {
    this.name = name;
    this.#managed = name === 'managed';
    this.server = buildApiServer({
      flavour: flavourOf(name),
      operations,
      clock: this.clock,
      ids: randomIds,
      logger: this.logger,
      readiness: { report: async () => ({ parts: { metadata: 'ready' } }) },
      metrics: new Registry(),
      version: '0.0.0',
      limiters: rateLimit && requestLimiters(rateLimit, this.clock),
      ...options,
    });
  }

  /** Full path of a resource path such as `/dashboards`. */
  path(resource: string): string {
    const word = resource.startsWith('/pipes') ? '' : '/stack';
    return this.#managed
      ? `/v1/organizations/${organizationId}/services/${serviceId}${word}${resource}`
      : `/api/v2${resource}`;
  }

  /** Sends to a resource path. */
  send(method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', resource: string, request: TestRequest = {}) {
    return this.sendTo(method, this.path(resource), request);
  }

  /** Sends to a full path. */
  async sendTo(
    method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'OPTIONS',
    url: string,
    { key = 'admin', body, text, headers = {} }: TestRequest = {},
  ): Promise<TestAnswer> {
    const payload = text ?? (body === undefined ? undefined : JSON.stringify(body));
    const answer = await this.server.inject({
      method,
      url,
      headers: {
        ...this.#credentials(key),
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(payload !== undefined && { payload }),
    });
    return { status: answer.statusCode, headers: answer.headers, body: answer.body, json: parsed(answer.body) };
  }

  /** What the envelope of a success holds. */
  unwrap(answer: TestAnswer): unknown {
    if (answer.status !== 200) throw new Error(`expected 200, got ${answer.status}: ${answer.body}`);
    return field(answer.json, this.#managed ? 'result' : 'data');
  }

  /** The text of an error. */
  errorText(answer: TestAnswer): string {
    return String(field(answer.json, this.#managed ? 'error' : 'message'));
  }

  #credentials(key: string): Record<string, string> {
    if (key === 'none') return {};
    if (!this.#managed) return { authorization: `Bearer ${key}` };
    return { authorization: `Basic ${Buffer.from(`${key}:secret`).toString('base64')}` };
  }
}

function flavourOf(name: FlavourName): Flavour {
  const keys = new FakeKeys();
  return name === 'managed' ? managedFlavour(keys) : selfHostedFlavour(keys);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([name]) => name === key)?.[1]
    : undefined;
}
