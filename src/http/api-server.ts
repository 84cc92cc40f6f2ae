import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify';
import type { Registry } from 'prom-client';
import { AppError } from '../contract/errors.ts';
import { ByteBudget, type HeldBytes, requestBytesMax } from '../kernel/byte-budget.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import { inlineWorkers } from '../kernel/inline-workers.ts';
import type { Logger } from '../kernel/logger.ts';
import { StoreUnavailableError } from '../kernel/store-unavailable-error.ts';
import { parseTraceparent } from '../kernel/traceparent.ts';
import { noTracer, type Tracer } from '../kernel/tracer.ts';
import type { Workers } from '../kernel/workers.ts';
import { failureAnswerer } from './answer-failure.ts';
import { withoutBasePath } from './base-path.ts';
import { addBodyParsers } from './body-parsers.ts';
import { answerCrossOrigin } from './cross-origin.ts';
import { paramsOf } from './fastify-request.ts';
import type { Flavour } from './flavours/flavour.ts';
import { guardRequest } from './guard-request.ts';
import { JsonReader } from './json/json-reader.ts';
import { limitKeyOf } from './limit-key.ts';
import { mountOperation } from './mount-operation.ts';
import { audienceOf, type Operation } from './operation.ts';
import { rejectMalformedHttp } from './reject-malformed-http.ts';
import { type RequestObserver, requestReporter } from './request-done.ts';
import type { RequestLimiters } from './request-limiters.ts';
import { bodyTimeoutMs, keepAliveTimeoutMs, lateness, requestTimeoutMs } from './server-times.ts';
import { mountDocument, mountServiceRoutes, type Readiness } from './service-routes.ts';
import type { WebSessions } from './web-sessions.ts';

/** What every server of this room needs. */
export interface ServerOptions {
  flavour: Flavour;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  readiness: Readiness;
  metrics: Registry;
  /** 5 MB when absent. */
  bodyBytesMax?: number;
  /** Addresses or networks of proxies whose forwarded client address counts (decisions F10). */
  trustedProxies?: readonly string[];
  /** The program's version, for `GET /health`. */
  version: string;
  /** Sub-path under which browsers see this server, with slashes at both ends; `/` when absent. */
  basePath?: string;
  /** Ends TLS here (decisions F10); absent = a proxy in front does. */
  tls?: { cert: Buffer; key: Buffer };
}

export interface ApiServerOptions extends ServerOptions {
  operations: readonly Operation[];
  /** Shared with the other ports; absent switches every kind of limit off (decisions F9). */
  limiters?: RequestLimiters | undefined;
  /** Bytes held by requests in flight, shared with the other ports; absent = a separate budget. */
  budget?: ByteBudget;
  /** Where large bodies are read; on the event loop when absent. */
  workers?: Workers;
  /** Origin of the web UI where it is another one than the API's. */
  corsOrigin?: string;
  observers?: readonly RequestObserver[];
  /** Nothing is reported when absent. */
  tracer?: Tracer;
  /** Where cookies of the web UI count; absent = nowhere on this server. */
  webSessions?: WebSessions;
  /** Adds routes without a key, such as the web pages. */
  mountMore?: (app: FastifyInstance) => void;
}

const megabyte = 1024 * 1024;
/** Of a path parameter: what Node.js takes as the head of a request. A long id is not found, as any other. */
const addressLengthMax = 16 * 1024;
const bodyBytesMax = 5 * megabyte;
/**
 * The API of one flavour, not yet listening. Order on every request: route known (404), authentication (401), rate
 * limit (429), body size (413) and time (408), content type and JSON (400), the object itself (404), schema, operation.
 */
export function buildApiServer(options: ApiServerOptions): FastifyInstance {
  const { flavour } = options;
  const app = buildServer(options);
  const { clock, logger, tracer } = options;
  const reader = new JsonReader(options.workers ?? inlineWorkers);
  addBodyParsers(app, { bytesMax: options.bodyBytesMax ?? bodyBytesMax, timeoutMs: bodyTimeoutMs, clock, reader });
  addHooks(app, options);
  mountServiceRoutes(app, options);
  mountDocument(app, { ...options, operations: options.operations.filter((one) => isDocumented(one, options)) });
  options.mountMore?.(app);
  for (const operation of options.operations.filter((one) => isServed(one, options))) {
    mountOperation(app, { flavour, cookie: options.webSessions?.cookie, tracer, logger }, operation);
  }
  return app;
}

/** Health, readiness and metrics alone, for a port that is not open to clients (`SIGNALBOX_OPS_PORT`). */
export function buildOpsServer(options: ServerOptions): FastifyInstance {
  const app = buildServer(options);
  mountServiceRoutes(app, options);
  return app;
}

/** For a program that waits for its metadata store: without it no key can be checked, so all other paths are 503. */
export function buildWaitingServer(options: ServerOptions): FastifyInstance {
  const app = buildOpsServer(options);
  app.addHook('onRequest', (request, _reply, done) => {
    done(request.is404 ? new StoreUnavailableError('metadata', 'unreachable') : undefined);
  });
  return app;
}

function isServed(operation: Operation, { flavour, webSessions }: ApiServerOptions): boolean {
  const audience = audienceOf(operation, flavour.name);
  return audience === 'keys' || (audience === 'people' && webSessions !== undefined);
}

/** What people alone may use is documented on the web port only. */
function isDocumented(operation: Operation, { flavour, webSessions }: ApiServerOptions): boolean {
  const audience = audienceOf(operation, flavour.name);
  return audience === 'keys' || (audience === 'people' && webSessions?.isWebPort === true);
}

function buildServer(options: ServerOptions): FastifyInstance {
  const { flavour } = options;
  const answerFailure = failureAnswerer(flavour, options.logger);
  const app = Fastify({
    logger: false,
    ...(options.tls ? { https: { ...lateness, ...options.tls } } : { http: lateness }),
    ...rewriting(options.basePath),
    genReqId: () => options.ids.uuid(),
    requestIdHeader: false,
    keepAliveTimeout: keepAliveTimeoutMs,
    requestTimeout: requestTimeoutMs,
    // What comes while the program stops is answered like everything else; the connection ends with it.
    return503OnClosing: false,
    trustProxy: options.trustedProxies?.length ? [...options.trustedProxies] : false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: addressLengthMax },
    exposeHeadRoutes: true,
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      answerFailure(error, request, reply);
    },
    clientErrorHandler: (error, socket) => rejectMalformedHttp(flavour, options.clock, { error, socket }),
  });
  app.decorateRequest('principal', undefined);
  app.decorateRequest('session', undefined);
  app.decorateRequest('clientAddress', '');
  app.decorateRequest('receivedMs', 0);
  app.decorateRequest('span', undefined);
  app.decorateRequest('heldBytes');
  app.setErrorHandler(answerFailure);
  app.setNotFoundHandler(() => {
    throw new AppError('route_not_found');
  });
  return app;
}

/** Servers at the root of their host, such as the API port, are spared the look at each address. */
function rewriting(basePath = '/'): Pick<FastifyServerOptions, 'rewriteUrl'> {
  return basePath === '/' ? {} : { rewriteUrl: ({ url }) => withoutBasePath(url ?? '/', basePath) };
}

function addHooks(app: FastifyInstance, options: ApiServerOptions): void {
  const { clock, flavour, corsOrigin, tracer = noTracer } = options;
  const guards = { flavour, limiters: options.limiters, webSessions: options.webSessions };
  const budget = options.budget ?? new ByteBudget(requestBytesMax);
  const reportRequest = requestReporter(clock, options.logger, options.observers ?? []);
  app.addHook('onRequest', (request, reply, done) => {
    request.receivedMs = clock.nowMs();
    request.span = tracer.open(parseTraceparent(request.headers.traceparent));
    reply.header('x-request-id', request.id);
    if (answerCrossOrigin(corsOrigin, request, reply)) return;
    // Before the body of an unknown path is looked at.
    if (request.is404) return done(new AppError('route_not_found'));
    const { operation } = request.routeOptions.config;
    if (!operation) return done();
    request.params = withoutNul(paramsOf(request));
    guardRequest(guards, operation, { request, reply }).then(({ principal, session, address }) => {
      request.principal = principal;
      request.session = session;
      request.clientAddress = address;
      holdBytes(budget.hold(principal.keyId || limitKeyOf(address)), request, reply);
      done();
    }, done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    reportRequest(request, reply);
    done();
  });
}

/** Given back when the answer is sent, or cannot be sent any more. */
function holdBytes(held: HeldBytes, request: FastifyRequest, reply: FastifyReply): void {
  request.heldBytes = held;
  reply.raw.once('close', held.release);
}

/** No store accepts U+0000, so an id that contains it can't exist and is not looked up. */
function withoutNul(params: Record<string, string>): Record<string, string> {
  const entries = Object.entries(params);
  if (!entries.some(([, value]) => value.includes('\0'))) return params;
  return Object.fromEntries(entries.map(([name, value]) => [name, value.replaceAll('\0', '\uFFFD')]));
}
