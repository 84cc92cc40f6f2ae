import { join } from 'node:path';
import type { Registry } from 'prom-client';
import {
  CloudKeyAuthenticator,
  IngestionKeyAuthenticator,
  PersonalKeyAuthenticator,
} from '../access/key-authenticators.ts';
import { KeyLookup } from '../access/key-lookup.ts';
import { SecretBox } from '../access/secret-box.ts';
import { TenantCache } from '../access/tenant-cache.ts';
import { Intake } from '../collector/intake.ts';
import type { Config } from '../config/config.ts';
import { readTlsFiles } from '../config/tls-files.ts';
import { type ApiServerOptions, buildApiServer, buildOpsServer } from '../http/api-server.ts';
import type { Flavour } from '../http/flavours/flavour.ts';
import { managedFlavour } from '../http/flavours/managed.ts';
import { selfHostedFlavour } from '../http/flavours/self-hosted.ts';
import type { RequestObserver } from '../http/request-done.ts';
import { requestMetrics } from '../http/request-metrics.ts';
import type { Readiness } from '../http/service-routes.ts';
import { CleanupStack } from '../kernel/cleanup-stack.ts';
import { systemClock } from '../kernel/clock.ts';
import { randomIds } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import { type MetadataStore, openMetadata } from '../metadata/open-metadata.ts';
import { SsrfGuard } from '../notify/target-guard.ts';
import { SelfTelemetry } from '../self-telemetry/self-telemetry.ts';
import { BatchWriter } from '../telemetry/batch-writer.ts';
import { type Alerting, startAlerting } from './alerting.ts';
import type { FirstKeys } from './bootstrap.ts';
import { startCollecting } from './collecting.ts';
import { openDataFolder } from './data-folder.ts';
import { fillStore } from './fill-store.ts';
import { listen } from './listen.ts';
import { createProgramMetrics, type ProgramMetrics } from './program-metrics.ts';
import { readinessOf } from './readiness.ts';
import { secretKeyOf } from './secret-key-of.ts';
import { FirstTenantSink, requestSpans } from './self-observation.ts';
import { createServices, type Services } from './services.ts';
import { createStarterDashboard } from './starter-dashboard.ts';
import { openTelemetryStore } from './telemetry-store.ts';
import { programVersion } from './version.ts';
import { buildForwardingWebServer, mountPages } from './web-server.ts';

/** Base URLs of what listens; only the parts of the roles that run. */
export interface Addresses {
  api?: string;
  web?: string;
  otlpGrpc?: string;
  otlpHttp?: string;
  ops?: string;
}

export interface App {
  addresses: Addresses;
  /** Stops accepting, finishes requests, flushes telemetry, closes the stores. */
  stop(): Promise<void>;
}

export interface AppParts {
  config: Config;
  logger: Logger;
  /** Values for `{env: NAME}` in the provisioning file. */
  lookupEnv: (name: string) => string | undefined;
  /** Takes the keys of a new store before they are committed. */
  tellFirstKeys: (keys: FirstKeys) => Promise<void>;
}

const clock = systemClock;
const ids = randomIds;

/**
 * The composition root: opens what the roles need, in order, and registers how each is closed again.
 * @throws what `toStartError` knows to explain; everything opened until then is closed first
 */
export async function startApp(parts: AppParts): Promise<App> {
  const cleanup = new CleanupStack();
  const stop = () =>
    cleanup.unwind((name, error) => parts.logger.error({ part: name, error }, 'a part could not be closed'));
  // Timers of ours do not keep the process alive; the program itself does.
  const heartbeat = setInterval(() => {}, 60_000);
  cleanup.push('heartbeat', () => clearInterval(heartbeat));
  try {
    return { addresses: await start(parts, cleanup), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(parts: AppParts, cleanup: CleanupStack): Promise<Addresses> {
  const config = { ...parts.config, dataFolder: await openDataFolder(parts.config.dataFolder) };
  const metrics = createProgramMetrics();
  const telemetry = await openTelemetryStore({ config, clock, ids, logger: parts.logger, cleanup });
  const metadata = await openStore(config, parts.logger, cleanup);
  const secrets = new SecretBox(await secretKeyOf(config));
  const guard = new SsrfGuard(config.webhookAllowedHosts);
  const tenants = new TenantCache(metadata.identities, clock);
  const isNew = (await tenants.list()).length === 0;
  await fillStore({ ...parts, config, metadata, secrets, guard, clock, ids });
  await Promise.all(
    (await tenants.list()).map(({ telemetryDatabase }) => telemetry.databases.ensure(telemetryDatabase)),
  );

  const batches = new BatchWriter({ inserter: telemetry.inserter, clock, ids, onEvent: metrics.onBatch });
  cleanup.push('batches', () => batches.close());
  const intake = new Intake({ tenants, sink: batches, clock, metrics: metrics.collector });
  const selfTelemetry = startSelfTelemetry(config, new FirstTenantSink(tenants, intake), metrics.registry, cleanup);
  const logger = selfTelemetry ? selfTelemetry.tee(parts.logger) : parts.logger;
  const lookup = new KeyLookup({ keys: metadata.identities, clock, logger });
  const alerting: { current?: Alerting } = {};
  const services = createServices({
    repositories: metadata,
    telemetry,
    tenants,
    secrets,
    targets: guard,
    publicUrl: config.publicUrl ?? `http://localhost:${config.listen.ports.web}`,
    clock,
    ids,
    logger,
    cleanup,
    onAlertScheduled: () => alerting.current?.wake(),
  });
  if (isNew && selfTelemetry) await greetFirstTenant(tenants, services);
  const observers = [requestMetrics(metrics.registry), ...(selfTelemetry ? [requestSpans(selfTelemetry)] : [])];
  const readiness = readinessOf({ metadata: () => metadata.ping(), telemetry: () => telemetry.ping() });
  const edge = { config, flavour: flavourOf(config, lookup, tenants), services, logger, metrics, readiness, observers };
  const addresses = await openEdge(edge, cleanup);
  if (config.roles.has('evaluator')) {
    const publicUrl = config.publicUrl ?? `http://localhost:${portOf(addresses.web) ?? config.listen.ports.web}`;
    const { tileReader: reader } = services;
    alerting.current = startAlerting({
      repositories: metadata,
      reader,
      guard,
      secrets,
      publicUrl,
      delayMs: config.alertDelayMs,
      clock,
      ids,
      logger,
      cleanup,
    });
  }
  if (!config.roles.has('collector')) return addresses;
  const authenticator = new IngestionKeyAuthenticator(lookup);
  return {
    ...addresses,
    ...(await startCollecting({ listen: config.listen, intake, authenticator, metrics, logger, clock, cleanup })),
  };
}

async function openStore(config: Config, logger: Logger, cleanup: CleanupStack): Promise<MetadataStore> {
  const { postgresUrl } = config.secrets;
  const location = postgresUrl
    ? ({ kind: 'postgres', url: postgresUrl.reveal() } as const)
    : ({ kind: 'embedded', file: join(config.dataFolder, 'metadata.db') } as const);
  const metadata = await openMetadata({ location, clock, logger });
  cleanup.push('metadata store', () => metadata.close());
  return metadata;
}

function startSelfTelemetry(
  config: Config,
  sink: FirstTenantSink,
  registry: Registry,
  cleanup: CleanupStack,
): SelfTelemetry | undefined {
  if (!config.selfTelemetry) return undefined;
  const readMetrics = () => registry.getMetricsAsJSON();
  const selfTelemetry = new SelfTelemetry({
    sink,
    clock,
    version: programVersion,
    instanceId: ids.uuid(),
    readMetrics,
  });
  selfTelemetry.start();
  cleanup.push('self-telemetry', () => selfTelemetry.stop());
  return selfTelemetry;
}

async function greetFirstTenant(tenants: TenantCache, services: Services): Promise<void> {
  const [first] = await tenants.list();
  if (first) await createStarterDashboard(first, services);
}

function flavourOf(config: Config, lookup: KeyLookup, tenants: TenantCache): Flavour {
  if (config.flavour === 'selfHosted') return selfHostedFlavour(new PersonalKeyAuthenticator(lookup));
  return managedFlavour(new CloudKeyAuthenticator(lookup, tenants), { aliases: config.aliases });
}

interface Edge {
  config: Config;
  flavour: Flavour;
  services: Services;
  logger: Logger;
  metrics: ProgramMetrics;
  readiness: Readiness;
  observers: readonly RequestObserver[];
}

/** The HTTP servers of the roles `api` and `web`, and the ops port. */
async function openEdge(edge: Edge, cleanup: CleanupStack): Promise<Addresses> {
  const { config } = edge;
  const { host, ports } = config.listen;
  const options = await apiOptions(edge);
  const addresses: Addresses = {};
  const open = async (name: 'api' | 'web' | 'ops', server: ReturnType<typeof buildApiServer>, port: number) => {
    cleanup.push(`${name} server`, () => server.close());
    addresses[name] = await listen(server, host, port);
  };
  if (config.roles.has('api')) await open('api', buildApiServer(options), ports.api);
  if (config.roles.has('web')) {
    const { apiUrl } = config;
    const forwards = !config.roles.has('api') && apiUrl !== undefined;
    const server = forwards ? buildForwardingWebServer(apiUrl) : buildApiServer({ ...options, mountMore: mountPages });
    await open('web', server, ports.web);
  }
  if (ports.ops !== undefined) await open('ops', buildOpsServer(options), ports.ops);
  return addresses;
}

async function apiOptions({
  config,
  flavour,
  services,
  logger,
  metrics,
  readiness,
  observers,
}: Edge): Promise<ApiServerOptions> {
  const { rateLimit, listen: listening, publicUrl } = config;
  return {
    flavour,
    operations: services.operations,
    clock,
    ids,
    logger,
    readiness,
    metrics: metrics.registry,
    ...(rateLimit ? { rateLimit } : {}),
    ...(listening.tls ? { tls: await readTlsFiles(listening.tls) } : {}),
    trustedProxies: listening.trustedProxies,
    ...(publicUrl ? { corsOrigin: new URL(publicUrl).origin } : {}),
    observers,
    version: programVersion,
  };
}

function portOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : new URL(url).port;
}
