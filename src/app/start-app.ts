import { join } from 'node:path';
import type { BasicAuthenticator, BearerAuthenticator } from '../access/authenticators.ts';
import {
  CloudKeyAuthenticator,
  IngestionKeyAuthenticator,
  PersonalKeyAuthenticator,
} from '../access/key-authenticators.ts';
import { KeyLookup } from '../access/key-lookup.ts';
import { proxyTokenOf } from '../access/proxy-token.ts';
import type { SecretBox } from '../access/secret-box.ts';
import { TenantCache } from '../access/tenant-cache.ts';
import type { TenantDirectory } from '../access/tenants.ts';
import { Intake } from '../collector/intake.ts';
import { MistimedLog } from '../collector/mistimed-log.ts';
import type { Config } from '../config/config.ts';
import type { Flavour } from '../http/flavours/flavour.ts';
import { managedFlavour } from '../http/flavours/managed.ts';
import { selfHostedFlavour } from '../http/flavours/self-hosted.ts';
import { requestMetrics } from '../http/request-metrics.ts';
import { ByteBudget, requestBytesMax } from '../kernel/byte-budget.ts';
import { CleanupStack } from '../kernel/cleanup-stack.ts';
import { systemClock } from '../kernel/clock.ts';
import { randomIds } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import { noTracer, type Tracer } from '../kernel/tracer.ts';
import type { MetadataStore } from '../metadata/open-metadata.ts';
import { SsrfGuard } from '../notify/target-guard.ts';
import { SelfTelemetry } from '../self-telemetry/self-telemetry.ts';
import { RandomSpanIds } from '../self-telemetry/span-ids.ts';
import { SpanTracer } from '../self-telemetry/span-tracer.ts';
import { FolderBatchJournal } from '../telemetry/batch-journal.ts';
import { BatchWriter, type BatchWriterOptions } from '../telemetry/batch-writer.ts';
import { accessOperations } from './access-operations.ts';
import { type Alerting, startAlerting } from './alerting.ts';
import { AnnouncedStop } from './announced-stop.ts';
import { awaitMetadataStore } from './await-metadata-store.ts';
import type { FirstKeys } from './bootstrap.ts';
import { startCollecting } from './collecting.ts';
import { openDataFolder } from './data-folder.ts';
import { ensureDatabases, isAway } from './ensure-databases.ts';
import { fillStore } from './fill-store.ts';
import type { HttpAddresses } from './http-ports.ts';
import { openHttpServers } from './http-servers.ts';
import {
  createProgramMetrics,
  type ProgramMetrics,
  watchDetachedParts,
  watchHeldBytes,
} from './metrics/program-metrics.ts';
import { selfTelemetryInstruments } from './metrics/self-telemetry-instruments.ts';
import { checkOpenFiles } from './open-files.ts';
import { openWorkers } from './open-workers.ts';
import { PartWatch } from './part-watch.ts';
import { openConnectors } from './pipe-connectors.ts';
import { startPiping } from './piping.ts';
import { readinessOf } from './readiness.ts';
import { boxOf, type SecretKeys, secretKeysOf } from './secret-key-of.ts';
import { FirstTenantSink, requestSpans, selfTelemetryHome } from './self-observation.ts';
import { createSelfTelemetrySources } from './self-telemetry-sources.ts';
import { createServices, type Services } from './services.ts';
import { createStarterDashboard } from './starter-dashboard.ts';
import { openTelemetryStore, type TelemetryStore } from './telemetry-store.ts';
import { programVersion } from './version.ts';
import { createWebAccounts } from './web-accounts.ts';
import { openWebProxy, proxiedApiOf } from './web-proxy.ts';

/** Base URLs of what listens; only the parts of the roles that run. */
export interface Addresses extends HttpAddresses {
  otlpGrpc?: string;
  otlpHttp?: string;
}

export interface App {
  addresses: Addresses;
  /** Stops accepting, finishes requests, flushes telemetry, closes the stores. */
  stop(): Promise<void>;
}

export interface AppDeps {
  config: Config;
  logger: Logger;
  /** Ends the wait for a store. */
  stopSignal: AbortSignal;
  /** Values for `{env: NAME}` in the provisioning file. */
  lookupEnv: (name: string) => string | undefined;
  /** Takes the keys of a new store before they are committed. */
  publishFirstKeys: (keys: FirstKeys) => Promise<void>;
}

const clock = systemClock;
const ids = randomIds;
/** Once the listeners are closed, no sender waits for the remaining batches. */
const batchesGraceMs = 1_000;

/**
 * The composition root: opens what the roles need, in order, and registers how each is closed again.
 * @throws what `toStartError` knows to explain; everything opened until then is closed first
 */
export async function startApp(deps: AppDeps): Promise<App> {
  const cleanup = new CleanupStack();
  const stop = () =>
    cleanup.unwind((name, error) => deps.logger.error({ part: name, error }, 'a component could not be closed'));
  // Timers of ours do not keep the process alive; the program itself does.
  const heartbeat = setInterval(() => {}, 60_000);
  cleanup.push('heartbeat', () => clearInterval(heartbeat));
  try {
    return { addresses: await start(deps, cleanup), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(deps: AppDeps, cleanup: CleanupStack): Promise<Addresses> {
  const { logger } = deps;
  const apiUrl = proxiedApiOf(deps.config);
  if (apiUrl !== undefined) {
    const flavour = flavourOf(deps.config, noKeys);
    return openWebProxy({ config: deps.config, apiUrl, flavour, logger, cleanup });
  }
  await checkOpenFiles();
  const config = { ...deps.config, dataFolder: await openDataFolder(deps.config.dataFolder) };
  const observation = observationOf(config);
  const stores = await openStores({ ...deps, config }, observation, cleanup);
  return startRoles(config, { ...stores, ...observation }, logger, cleanup);
}

/** Self-telemetry for all parts of the program, from the first on. */
interface Observation {
  metrics: ProgramMetrics;
  /** Absent when the program does not report about itself. */
  spans: SpanTracer | undefined;
  tracer: Tracer;
}

function observationOf({ selfTelemetry, flavour }: Config): Observation {
  // In the managed flavour every tenant is a customer's, and none of them the program's.
  const isReported = selfTelemetry && flavour !== 'managed';
  const spans = isReported ? new SpanTracer({ clock, ids: new RandomSpanIds() }) : undefined;
  return { metrics: createProgramMetrics(), spans, tracer: spans ?? noTracer };
}

interface Stores {
  telemetry: TelemetryStore;
  metadata: MetadataStore;
  keys: SecretKeys;
  secrets: SecretBox;
  guard: SsrfGuard;
  tenants: TenantCache;
  /** There was no tenant before this start. */
  isNew: boolean;
}

/** The engine first: who holds its lock may write the rest. */
async function openStores(deps: AppDeps, { metrics, tracer }: Observation, cleanup: CleanupStack): Promise<Stores> {
  const { config, logger } = deps;
  const telemetry = await openTelemetryStore({ config, metrics, tracer, clock, ids, logger, cleanup });
  const flavour = flavourOf(config, noKeys);
  const metadata = await awaitMetadataStore({ ...deps, flavour, metrics, clock, ids });
  cleanup.push('metadata store', () => metadata.close());
  const keys = await secretKeysOf(config, metadata);
  const secrets = boxOf(keys);
  const guard = new SsrfGuard(config.webhookAllowedHosts);
  const tenants = new TenantCache(metadata.identities, clock);
  const isNew = (await tenants.list()).length === 0;
  await fillStore({ ...deps, metadata, secrets, guard, clock, ids });
  const names = (await tenants.list()).map(({ telemetryDatabase }) => telemetryDatabase);
  await ensureDatabases(names, { telemetry, store: config.telemetry.store.kind, clock });
  return { telemetry, metadata, keys, secrets, guard, tenants, isNew };
}

/**
 * Only one process writes to the embedded engine, so a journal is enough to recognise what is sent again after a crash.
 * Over servers, another process may get it: there, large requests are written alone.
 */
function recognitionOf({ telemetry, dataFolder }: Config): Pick<BatchWriterOptions, 'journal' | 'left' | 'limits'> {
  if (telemetry.store.kind !== 'embedded') return {};
  const journal = new FolderBatchJournal(join(dataFolder, 'unsettled-batches'));
  return { journal, left: journal.left(clock.nowMs()), limits: { aloneRowsMin: Number.POSITIVE_INFINITY } };
}

async function startRoles(
  config: Config,
  stores: Stores & Observation,
  baseLogger: Logger,
  cleanup: CleanupStack,
): Promise<Addresses> {
  const { telemetry, metadata, keys, secrets, guard, tenants, metrics, spans, tracer } = stores;
  const { detachedParts } = telemetry;
  if (detachedParts) watchDetachedParts(metrics.registry, () => detachedParts.count());
  for (const warning of await detachedWarnings(telemetry)) baseLogger.warn({}, warning);
  const workers = openWorkers(cleanup);
  const budget = new ByteBudget(requestBytesMax);
  const batches = new BatchWriter({
    ...recognitionOf(config),
    inserter: telemetry.inserter,
    clock,
    ids,
    onEvent: metrics.onBatch,
  });
  watchHeldBytes(metrics.registry, () => batches.heldBytes);
  cleanup.push('batches', () => batches.close(batchesGraceMs));
  const { retentionDays } = config.telemetry;
  const taking = { sink: batches, clock, metrics: metrics.collector, workers, retentionDays };
  const mistimedLog = new MistimedLog(clock);
  const intake = new Intake({ ...taking, tenants, mistimedLog });
  const ownHome = selfTelemetryHome(tenants);
  const ownIntake = new Intake({ ...taking, tenants: ownHome });
  const isOwnHomeNew = config.selfTelemetry && (await isUnwritten(ownHome, telemetry));
  const selfTelemetry =
    spans && startSelfTelemetry({ spans, sink: new FirstTenantSink(ownHome, ownIntake), metrics, cleanup });
  const logger = selfTelemetry ? selfTelemetry.tee(baseLogger) : baseLogger;
  const lookup = new KeyLookup({ keys: metadata.identities, clock, logger });
  const alerting: { current?: Alerting } = {};
  const shared = { secrets, workers, proxies: config.proxies, clock, ids, logger, cleanup };
  const { connectors, close: closeConnectors } = openConnectors(config, guard, clock);
  cleanup.push('connections of pipes', closeConnectors);
  const services = createServices({
    ...shared,
    repositories: metadata,
    telemetry,
    connectors,
    metrics,
    tracer,
    tenants,
    targets: guard,
    publicUrl: publicUrlOf(config),
    mistimedRecords: mistimedLog,
    onAlertScheduled: () => alerting.current?.wake(),
  });
  if (selfTelemetry && (stores.isNew || isOwnHomeNew)) await showSelfTelemetry(ownHome, stores, services);
  const observers = [requestMetrics(metrics.registry), requestSpans(tracer)];
  const parts = { metadata: () => metadata.ping(), telemetry: () => telemetry.ping() };
  const states = readinessOf({ parts, clock, warnings: () => detachedWarnings(telemetry) });
  const readiness = new AnnouncedStop(states, clock);
  const flavour = flavourOf(config, {
    personal: new PersonalKeyAuthenticator(lookup),
    cloud: new CloudKeyAuthenticator(lookup, tenants),
  });
  const accounts = createWebAccounts({ identities: metadata.identities, flavour: config.flavour, clock, ids });
  const publicUrl = publicUrlOf(config);
  const access = accessOperations({ metadata, telemetry: config.telemetry, secrets, publicUrl, clock, ids });
  const proxyTokens = {
    proxyToken: proxyTokenOf(keys.current),
    previousProxyToken: keys.previous === undefined ? undefined : proxyTokenOf(keys.previous),
  };
  const collector: { address?: string } = {};
  const collectorAddress = () => collector.address;
  const web = { accounts, publicUrl, ...proxyTokens, collectorAddress };
  const addresses = await openHttpServers(
    { config, flavour, services, access, ...web, logger, metrics, readiness, observers, tracer, budget, workers },
    cleanup,
  );
  if (config.roles.has('evaluator')) {
    alerting.current = startAlerting({
      ...shared,
      cleanup: cleanup.branch(),
      metrics: metrics.registry,
      tracer,
      repositories: metadata,
      tenants,
      reader: services.tilesReader,
      samples: services.sampleEvents,
      guard,
      publicUrl: publicUrlOf(config, addresses.web),
      settings: config.alerting,
    });
  }
  if (config.roles.has('pipes')) {
    startPiping({
      ...shared,
      cleanup: cleanup.branch(),
      metrics: metrics.registry,
      repositories: metadata,
      connectors,
      telemetry,
      store: config.telemetry.store,
      tenants,
    });
  }
  const otlp = config.roles.has('collector')
    ? await startCollecting({
        listen: config.listen,
        intake,
        authenticator: new IngestionKeyAuthenticator(lookup),
        metrics,
        tracer,
        logger,
        clock,
        cleanup: cleanup.branch(),
        workers,
        budget,
      })
    : undefined;
  if (otlp) collector.address = otlp.otlpHttp;
  const watch = new PartWatch(states, { clock, logger });
  watch.start();
  cleanup.push('part watch', () => watch.stop());
  cleanup.push('announcement', () => readiness.announce());
  return { ...addresses, ...otlp };
}

async function detachedWarnings({ detachedParts }: TelemetryStore): Promise<readonly string[]> {
  const parts = (await detachedParts?.count().catch(() => 0)) ?? 0;
  if (parts === 0) return [];
  return [`Parts of the telemetry store are damaged or detached (${parts}); their rows are missing from every answer.`];
}

/** Start of links (`SIGNALBOX_PUBLIC_URL`); without the setting the web port, bound or wanted. */
function publicUrlOf(config: Config, webAddress?: string): string {
  const port = webAddress === undefined ? config.listen.ports.web : new URL(webAddress).port;
  return config.publicUrl ?? `http://localhost:${port}`;
}

interface SelfTelemetryDeps {
  spans: SpanTracer;
  sink: FirstTenantSink;
  metrics: ProgramMetrics;
  cleanup: CleanupStack;
}

function startSelfTelemetry({ spans, sink, metrics: { registry }, cleanup }: SelfTelemetryDeps): SelfTelemetry {
  const selfTelemetry = new SelfTelemetry({
    sink,
    clock,
    version: programVersion,
    instanceId: ids.uuid(),
    currentSpan: () => spans.current(),
    readMetrics: () => registry.getMetricsAsJSON(),
    onDropped: selfTelemetryInstruments(registry),
  });
  spans.recordTo((span) => selfTelemetry.recordSpan(span));
  selfTelemetry.start();
  cleanup.push('self-telemetry', () => selfTelemetry.stop());
  return selfTelemetry;
}

/** If self-telemetry was written before, there were sources, and users who removed them want none. */
async function isUnwritten(home: TenantDirectory, { tableSchemas }: TelemetryStore): Promise<boolean> {
  const [own] = await home.list();
  // Metrics are written as long as the program runs, logs and traces only when something happens.
  const table = own && (await tableSchemas.describe(own.telemetryDatabase, 'otel_metrics_gauge').catch(unlessAway));
  return table?.rows === 0;
}

function unlessAway(error: unknown): undefined {
  if (!isAway(error)) throw error;
}

/** Sources over the program's own telemetry for the first team, and a dashboard when the store is new. */
async function showSelfTelemetry(home: TenantDirectory, stores: Stores, services: Services): Promise<void> {
  const { metadata, isNew } = stores;
  const [{ id = '' } = {}] = await home.list();
  const first = await metadata.identities.findTenant(id);
  if (!first) return;
  const own = await metadata.transaction((repositories) => createSelfTelemetrySources(first, { repositories, ids }));
  if (isNew) await createStarterDashboard(first, { dashboards: services.dashboards, own });
}

interface Keys {
  personal: BearerAuthenticator;
  cloud: BasicAuthenticator;
}

/** For a process that serves no operation itself. */
const noKeys: Keys = {
  personal: { authenticateBearer: async () => undefined },
  cloud: {
    authenticateBasic: async () => ({ kind: 'unauthenticated' }),
    admitSession: async () => ({ kind: 'unauthenticated' }),
  },
};

function flavourOf(config: Config, keys: Keys): Flavour {
  if (config.flavour === 'selfHosted') return selfHostedFlavour(keys.personal);
  return managedFlavour(keys.cloud, { aliases: config.aliases });
}
