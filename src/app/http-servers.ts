import type { FastifyInstance } from 'fastify';
import { SessionCookie } from '../access/session-cookie.ts';
import type { Config } from '../config/config.ts';
import { readTlsFiles } from '../config/tls-files.ts';
import { type ApiServerOptions, buildApiServer, buildOpsServer } from '../http/api-server.ts';
import type { Flavour } from '../http/flavours/flavour.ts';
import type { Operation } from '../http/operation.ts';
import type { RequestObserver } from '../http/request-done.ts';
import { requestLimiters } from '../http/request-limiters.ts';
import type { Readiness } from '../http/service-routes.ts';
import { WebSessions } from '../http/web-sessions.ts';
import type { ByteBudget } from '../kernel/byte-budget.ts';
import type { CleanupStack } from '../kernel/cleanup-stack.ts';
import { systemClock } from '../kernel/clock.ts';
import { randomIds } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Tracer } from '../kernel/tracer.ts';
import type { Workers } from '../kernel/workers.ts';
import { type HttpAddresses, openHttpPorts } from './http-ports.ts';
import type { ProgramMetrics } from './metrics/program-metrics.ts';
import { buildProxyServer } from './proxy-server.ts';
import type { Services } from './services.ts';
import { programVersion } from './version.ts';
import type { WebAccounts } from './web-accounts.ts';
import { mountPages, webPagesOf } from './web-pages.ts';

export interface HttpServersDeps {
  config: Config;
  flavour: Flavour;
  services: Services;
  /** Operations on teams, keys and organizations. */
  access: readonly Operation[];
  accounts: WebAccounts;
  /** Start of links: browsers reach the web UI there. */
  publicUrl: string;
  /** Where the collector of this process takes OTLP/HTTP, once it runs. */
  collectorAddress: () => string | undefined;
  /** Identifies a web role that runs in a separate process. */
  proxyToken: string;
  /** The one derived from the key before, while the secret key is rotated. */
  previousProxyToken?: string | undefined;
  logger: Logger;
  metrics: ProgramMetrics;
  readiness: Readiness;
  observers: readonly RequestObserver[];
  tracer: Tracer;
  /** What unanswered requests hold, over every port. */
  budget: ByteBudget;
  /** Where large bodies are read. */
  workers: Workers;
}

/** The HTTP servers of the roles `api` and `web`, and the ops port. */
export async function openHttpServers(deps: HttpServersDeps, cleanup: CleanupStack): Promise<HttpAddresses> {
  const options = await apiOptions(deps);
  const build = {
    api: () => buildApiServer({ ...options, webSessions: webSessionsOf(deps, deps) }),
    web: () => webServer(deps, options),
    ops: () => buildOpsServer(options),
  };
  return openHttpPorts(deps.config, build, cleanup);
}

/** Without the role `api` the web server forwards to the API that runs elsewhere. */
function webServer(deps: HttpServersDeps, options: ApiServerOptions): FastifyInstance {
  const { roles, apiUrl } = deps.config;
  const pages = webPagesOf(deps.flavour, deps.config, deps.collectorAddress);
  if (!roles.has('api') && apiUrl !== undefined) {
    const { flavour, proxyToken } = deps;
    return buildProxyServer({ apiUrl, pages, flavour, tls: options.tls, proxyToken });
  }
  return buildApiServer({
    ...options,
    basePath: pages.basePath,
    webSessions: webSessionsOf(deps),
    mountMore: (server) => mountPages(server, pages),
  });
}

/** Cookies of the web UI; on the API port only of requests that carry the proxy token. */
function webSessionsOf(
  { config, accounts, publicUrl }: HttpServersDeps,
  { proxyToken, previousProxyToken }: Partial<Pick<HttpServersDeps, 'proxyToken' | 'previousProxyToken'>> = {},
): WebSessions {
  // Without a public URL, browsers come straight to the port, by TLS where we end it.
  const seenByBrowsers = config.publicUrl ?? (config.listen.tls ? publicUrl.replace(/^http:/, 'https:') : publicUrl);
  return new WebSessions({
    sessions: accounts.sessions,
    cookie: new SessionCookie(seenByBrowsers),
    ...(config.publicUrl ? { publicOrigin: new URL(config.publicUrl).origin } : {}),
    ...(proxyToken === undefined ? {} : { proxyToken, previousProxyToken }),
  });
}

async function apiOptions({
  config,
  flavour,
  services,
  access,
  accounts,
  logger,
  metrics,
  readiness,
  observers,
  tracer,
  budget,
  workers,
}: HttpServersDeps): Promise<ApiServerOptions> {
  const { rateLimit, listen: listening, publicUrl } = config;
  return {
    flavour,
    operations: [...services.operations, ...access, ...accounts.operations],
    clock: systemClock,
    ids: randomIds,
    logger,
    readiness,
    metrics: metrics.registry,
    limiters: rateLimit && requestLimiters(rateLimit, systemClock),
    budget,
    workers,
    ...(listening.tls ? { tls: await readTlsFiles(listening.tls) } : {}),
    trustedProxies: listening.trustedProxies,
    ...(publicUrl ? { corsOrigin: new URL(publicUrl).origin } : {}),
    observers,
    tracer,
    version: programVersion,
  };
}
