import { proxyTokenOf } from '../access/proxy-token.ts';
import type { Config } from '../config/config.ts';
import { readTlsFiles } from '../config/tls-files.ts';
import { buildOpsServer } from '../http/api-server.ts';
import type { Flavour } from '../http/flavours/flavour.ts';
import type { CleanupStack } from '../kernel/cleanup-stack.ts';
import { systemClock } from '../kernel/clock.ts';
import { randomIds } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import { AnnouncedStop } from './announced-stop.ts';
import { closerOf } from './close-server.ts';
import { listen } from './listen.ts';
import { processMetrics } from './metrics/program-metrics.ts';
import { buildProxyServer } from './proxy-server.ts';
import { readinessOf } from './readiness.ts';
import { programVersion } from './version.ts';
import { webPagesOf } from './web-pages.ts';

export interface WebProxyDeps {
  config: Config;
  /** The API that this process forwards to. */
  apiUrl: string;
  flavour: Flavour;
  logger: Logger;
  cleanup: CleanupStack;
}

/** Set when this process runs the web role alone: it then needs no store, only the address of the API. */
export function proxiedApiOf({ roles, apiUrl }: Config): string | undefined {
  return roles.size === 1 && roles.has('web') ? apiUrl : undefined;
}

/** The web role with the API elsewhere: pages from here, everything else from there. */
export async function openWebProxy(deps: WebProxyDeps): Promise<{ web: string; ops?: string }> {
  const { config, apiUrl, cleanup } = deps;
  const { host, ports, tls } = config.listen;
  const { secretKey } = config.secrets;
  if (!secretKey)
    deps.logger.warn(
      {},
      'logging in is not possible here: set SIGNALBOX_SECRET_KEY to the same value as in the API process',
    );
  const server = buildProxyServer({
    apiUrl,
    pages: webPagesOf(deps.flavour, config),
    flavour: deps.flavour,
    tls: tls && (await readTlsFiles(tls)),
    proxyToken: secretKey && proxyTokenOf(secretKey.reveal()),
  });
  cleanup.branch().push('web server', closerOf(server, systemClock));
  const web = await listen(server, host, ports.web);
  return ports.ops === undefined ? { web } : { web, ops: await openOps(deps, ports.ops) };
}

async function openOps({ config, apiUrl, flavour, logger, cleanup }: WebProxyDeps, port: number): Promise<string> {
  const asked = readinessOf({ parts: { api: () => askHealth(apiUrl) }, clock: systemClock });
  const readiness = new AnnouncedStop(asked, systemClock);
  const server = buildOpsServer({
    flavour,
    clock: systemClock,
    ids: randomIds,
    logger,
    readiness,
    ...(config.listen.tls ? { tls: await readTlsFiles(config.listen.tls) } : {}),
    metrics: processMetrics(),
    version: programVersion,
  });
  cleanup.branch().push('ops server', closerOf(server, systemClock));
  cleanup.push('announcement', () => readiness.announce());
  return listen(server, config.listen.host, port);
}

async function askHealth(apiUrl: string): Promise<void> {
  const answer = await fetch(`${apiUrl}/health`, { signal: AbortSignal.timeout(2_000) });
  if (!answer.ok) throw new Error('the API is not healthy');
}
