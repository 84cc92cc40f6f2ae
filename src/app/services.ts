import type { SecretBox } from '../access/secret-box.ts';
import type { TenantDirectory } from '../access/tenants.ts';
import type { ProxyConfig } from '../config/proxy-config.ts';
import { CreateDashboardSchema } from '../contract/dashboard.ts';
import { SourceInputSchema } from '../contract/source.ts';
import { TileInputSchema } from '../contract/tile.ts';
import type { SampleEvents, TilesReader } from '../evaluator/ports.ts';
import { LiveRulePreviewer } from '../evaluator/rule-previewer.ts';
import type { Operation } from '../http/operation.ts';
import { bodyCheck } from '../http/schema-check.ts';
import type { CleanupStack } from '../kernel/cleanup-stack.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Tracer } from '../kernel/tracer.ts';
import type { Workers } from '../kernel/workers.ts';
import type { Repositories } from '../metadata/repositories.ts';
import { guardedAgent } from '../notify/guarded-agent.ts';
import { MessageRenderer } from '../notify/message-renderer.ts';
import { ProxyRoutes } from '../notify/proxy-routes.ts';
import type { SsrfGuard } from '../notify/target-guard.ts';
import { TestMessageSender } from '../notify/test-message-sender.ts';
import { WebhookSender } from '../notify/webhook-sender.ts';
import type { Connectors } from '../pipes/run-check.ts';
import { AlertLogService } from '../resources/alerts/alert-log-service.ts';
import { AlertMarkService } from '../resources/alerts/alert-mark-service.ts';
import { AlertPreviewService } from '../resources/alerts/alert-preview-service.ts';
import { AlertService } from '../resources/alerts/alert-service.ts';
import { DeliveryReplayService } from '../resources/alerts/delivery-replay-service.ts';
import { alertMarkOperations } from '../resources/alerts/operations/alert-mark-operations.ts';
import { alertOperations } from '../resources/alerts/operations/alert-operations.ts';
import { previewAlert } from '../resources/alerts/operations/preview-alert.ts';
import { ChartTileWindowsReader } from '../resources/alerts/reading/chart-tile-windows-reader.ts';
import { ChartTilesReader } from '../resources/alerts/reading/chart-tiles-reader.ts';
import { WatchedCharts } from '../resources/alerts/reading/watched-charts.ts';
import { ChartReader } from '../resources/charts/answer/chart-reader.ts';
import { ChartService } from '../resources/charts/answer/chart-service.ts';
import { chartOperations } from '../resources/charts/operations/chart-operations.ts';
import { CheckedStatements } from '../resources/charts/raw-sql/checked-statements.ts';
import { SqlPlaces } from '../resources/charts/raw-sql/sql-places.ts';
import { SqlReader } from '../resources/charts/raw-sql/sql-reader.ts';
import { SqlStatementCheck } from '../resources/charts/raw-sql/sql-statement-check.ts';
import { BucketCache } from '../resources/charts/reading/bucket-cache.ts';
import { HeatmapReader } from '../resources/charts/reading/heatmap-reader.ts';
import { MetricProfiles } from '../resources/charts/reading/metric-profiles.ts';
import { ReadableSources } from '../resources/charts/reading/readable-sources.ts';
import { type RemoteEndpoint, RemoteEngines } from '../resources/charts/reading/remote-engines.ts';
import { ScanRunner } from '../resources/charts/reading/scan-runner.ts';
import { UnseenAttributes } from '../resources/charts/reading/unseen-attributes.ts';
import { KnownFormats } from '../resources/charts/tiles/known-formats.ts';
import { TileService } from '../resources/charts/tiles/tile-service.ts';
import { CompletionService } from '../resources/completion/completion-service.ts';
import { FacetService } from '../resources/completion/facet-service.ts';
import { completionOperations } from '../resources/completion/operations/completion-operations.ts';
import { SourceCheckService } from '../resources/completion/source-check-service.ts';
import { ConnectionService } from '../resources/connections/connection-service.ts';
import { connectionOperations } from '../resources/connections/operations/connection-operations.ts';
import { DashboardService } from '../resources/dashboards/dashboard-service.ts';
import { DashboardImportService } from '../resources/dashboards/import/dashboard-import-service.ts';
import { knownNames } from '../resources/dashboards/import/known-names.ts';
import { dashboardOperations } from '../resources/dashboards/operations/dashboard-operations.ts';
import { favouriteOperations } from '../resources/dashboards/operations/favourites.ts';
import { RepositorySourceLookup } from '../resources/dashboards/repository-source-lookup.ts';
import { StoredReferenceUsers } from '../resources/dashboards/stored-reference-users.ts';
import { discoverPipeSchema } from '../resources/pipe-tables/operations/discover-pipe-schema.ts';
import { pipeTableOperations } from '../resources/pipe-tables/operations/pipe-table-operations.ts';
import { PipeSchemaService } from '../resources/pipe-tables/pipe-schema-service.ts';
import { PipeTableService } from '../resources/pipe-tables/pipe-table-service.ts';
import { pipeOperations } from '../resources/pipes/operations/pipe-operations.ts';
import type { PipeLifecycle } from '../resources/pipes/pipe-lifecycle.ts';
import { savedSearchOperations } from '../resources/saved-searches/operations/saved-search-operations.ts';
import { SavedSearchService } from '../resources/saved-searches/saved-search-service.ts';
import { DeltasService } from '../resources/search/deltas-service.ts';
import { compareEvents } from '../resources/search/operations/compare-events.ts';
import { exportEvents } from '../resources/search/operations/export-events.ts';
import { findPatterns } from '../resources/search/operations/find-patterns.ts';
import { searchEvents } from '../resources/search/operations/search-events.ts';
import { PatternsService } from '../resources/search/patterns-service.ts';
import { SavedSearchSamples } from '../resources/search/saved-search-samples.ts';
import { SearchExportService } from '../resources/search/search-export-service.ts';
import { SearchService } from '../resources/search/search-service.ts';
import { serviceOperations } from '../resources/services/operations/service-operations.ts';
import { ServiceMapReader } from '../resources/services/service-map-reader.ts';
import { ServiceReports } from '../resources/services/service-reports.ts';
import { silenceOperations } from '../resources/silences/operations/silence-operations.ts';
import { SilenceService } from '../resources/silences/silence-service.ts';
import { sourceOperations } from '../resources/sources/operations/source-operations.ts';
import { SourceService } from '../resources/sources/source-service.ts';
import { webhookOperations } from '../resources/webhooks/operations/webhook-operations.ts';
import { WebhookService } from '../resources/webhooks/webhook-service.ts';
import { WebhookTestService } from '../resources/webhooks/webhook-test-service.ts';
import { agentOptions, ClickHouseClient } from '../telemetry/clickhouse-client.ts';
import { ClickHouseQueryRunner } from '../telemetry/clickhouse-query-runner.ts';
import { RoundRobinEndpoints } from '../telemetry/endpoints.ts';
import type { MistimedRecords } from '../telemetry/ports.ts';
import { ClickHouseTableSchemas } from '../telemetry/table-schemas.ts';
import { cacheInstruments, watchCache } from './metrics/cache-instruments.ts';
import type { ProgramMetrics } from './metrics/program-metrics.ts';
import { pipeLifecycle, pipeService } from './pipe-service.ts';
import { RunnablePipes } from './runnable-pipes.ts';
import type { TelemetryStore } from './telemetry-store.ts';

export interface ServiceDeps {
  repositories: Repositories;
  workers: Workers;
  proxies: ProxyConfig;
  telemetry: Omit<TelemetryStore, 'tables'>;
  connectors: Connectors;
  metrics: Pick<ProgramMetrics, 'registry' | 'queries'>;
  tracer: Tracer;
  tenants: TenantDirectory;
  secrets: SecretBox;
  targets: SsrfGuard;
  /** Start of the links in messages. */
  publicUrl: string;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  cleanup: CleanupStack;
  /** What the collector of this process rejected lately for its times. */
  mistimedRecords: MistimedRecords;
  /** An alert was created or changed: the evaluator of this process may look immediately. */
  onAlertScheduled: () => void;
}

export interface Services {
  operations: Operation[];
  dashboards: DashboardService;
  sources: SourceService;
  tilesReader: TilesReader;
  sampleEvents: SampleEvents;
}

const answerRowsMax = 250_000;
/** Remembered values of charts, of all tenants together. */
const chartCacheBytesMax = 64 * 1024 ** 2;
const remoteConnectTimeoutMs = 10_000;
/** Users' servers rarely restart: a broken connection is retried almost immediately. */
const remoteRetryMs = 250;
const testTimeoutMs = 10_000;
const previewTimeoutMs = 30_000;
/** The rest of what one alert may take to be read is left for reading it alone. */
const sharedReadTimeoutMs = 15_000;
const scanLimits = { timeoutMs: 30_000, memoryBytesMax: 1024 ** 3, resultRowsMax: answerRowsMax };

/** The resources with everything they need, and all their operations. */
export function createServices(deps: ServiceDeps): Services {
  const { repositories, tenants, secrets, targets, clock, ids } = deps;
  const { sources, connections, pipes, pipeRuns: runs } = repositories;
  const lookup = new RepositorySourceLookup(sources, connections);
  const alerts = new AlertService({ alerts: repositories.alerts, ids, clock, onScheduled: deps.onAlertScheduled });
  const webhooks = new WebhookService({ webhooks: repositories.webhooks, targets, secrets, ids, clock });
  const users = new StoredReferenceUsers(repositories);
  const sourceService = new SourceService({ sources, connections, users, tenants, ids });
  const readable = new ReadableSources({
    sources,
    connections,
    tenants,
    store: storeEngine(deps),
    remote: remoteEngines(deps),
  });
  const scans = new ScanRunner(readable, scanLimits);
  const unseen = new UnseenAttributes(clock);
  const reader = new ChartReader({ sources: readable, runner: scans, unseen, cache: bucketCache(deps) });
  const sql = new SqlReader(new SqlPlaces(readable), new CheckedStatements(clock, scanLimits), scanLimits);
  const statements = new SqlStatementCheck(sql, clock);
  const dashboards = new DashboardService({
    ...{ dashboards: repositories.dashboards, sources: lookup, statements, ids, clock },
  });
  const events = new SearchService({ sources: readable, unseen, limits: scanLimits, clock });
  const profiles = new MetricProfiles(readable, scans, clock);
  const formats = new KnownFormats({ profiles, sources: readable });
  const heatmaps = new HeatmapReader({ sources: readable, unseen, limits: scanLimits });
  const checkTile = bodyCheck(TileInputSchema);
  const patterns = new PatternsService({ sources: readable, limits: scanLimits, clock });
  const tiles = new TileService({ reader, profiles, formats, events, heatmaps, patterns, sql, checkTile });
  const checkNew = bodyCheck(CreateDashboardSchema);
  const imports = new DashboardImportService({
    names: (tenantId) => knownNames(repositories, tenantId),
    service: dashboards,
    checkNew,
  });
  const lifecycle = pipeLifecycle({ ...deps, pipes, runs });
  return {
    dashboards,
    sources: sourceService,
    tilesReader: new ChartTilesReader({ ...repositories, reader, sql, clock, sharedTimeoutMs: sharedReadTimeoutMs }),
    sampleEvents: new SavedSearchSamples({ savedSearches: repositories.savedSearches, events, clock }),
    operations: [
      ...dashboardOperations({ service: dashboards, dashboards: repositories.dashboards, imports, checkNew }),
      ...favouriteOperations(repositories.favourites),
      ...alertOperations(
        alerts,
        new AlertLogService(alerts, repositories.alertLog),
        new DeliveryReplayService({ alerts, log: repositories.alertLog, ids, clock }),
      ),
      ...alertMarkOperations(new AlertMarkService({ alerts, repository: repositories.alerts, clock })),
      ...silenceOperations(
        new SilenceService({ silences: repositories.silences, alerts: repositories.alerts, ids, clock }),
      ),
      previewAlert(alertPreviews(deps, reader, sql)),
      ...chartOperations(new ChartService(reader, profiles, answerRowsMax), tiles),
      ...savedSearchOperations(
        new SavedSearchService({ savedSearches: repositories.savedSearches, sources, ids, clock }),
      ),
      searchEvents(events),
      findPatterns(patterns),
      compareEvents(new DeltasService({ sources: readable, limits: scanLimits, clock })),
      ...serviceOperations(
        new ServiceReports({ sources: readable, limits: scanLimits, clock }),
        new ServiceMapReader({ sources: readable, limits: scanLimits, clock }),
      ),
      exportEvents(new SearchExportService({ sources: readable, limits: scanLimits, clock })),
      ...completionOperations({
        completions: new CompletionService(readable, clock),
        facets: new FacetService(readable, clock),
        checks: new SourceCheckService({ readable, connections, tenants, ids }),
        checkInput: bodyCheck(SourceInputSchema),
      }),
      ...sourceOperations(sourceService, deps.mistimedRecords),
      ...webhookOperations(webhooks, new WebhookTestService({ webhooks, targets, tester: webhookTester(deps) })),
      ...connectionOperations(new ConnectionService({ connections, users, secrets, ids, clock })),
      ...pipeOperations(pipeService({ pipes, runs, secrets, clock }), lifecycle),
      ...pipeTableOperations(pipeTables(deps, sourceService)),
      discoverPipeSchema(pipeSchemas(deps, lifecycle)),
    ],
  };
}

function pipeSchemas({ connectors, tenants, telemetry }: ServiceDeps, lifecycle: PipeLifecycle): PipeSchemaService {
  return new PipeSchemaService({
    lifecycle,
    sampler: new RunnablePipes(connectors, tenants),
    runner: telemetry.queries,
  });
}

function pipeTables({ repositories, tenants, telemetry }: ServiceDeps, sources: SourceService): PipeTableService {
  const { pipes, connections } = repositories;
  const { queries: runner, tableSchemas: schemas } = telemetry;
  return new PipeTableService({
    ...{ pipes, sources, connections, tenants, schemas, runner },
    checkSource: bodyCheck(SourceInputSchema),
  });
}

function bucketCache({ metrics }: ServiceDeps): BucketCache {
  const cache = new BucketCache(chartCacheBytesMax, cacheInstruments(metrics.registry));
  watchCache(metrics.registry, cache);
  return cache;
}

function alertPreviews({ repositories, clock }: ServiceDeps, reader: ChartReader, sql: SqlReader): AlertPreviewService {
  const { dashboards, savedSearches } = repositories;
  const previewer = new LiveRulePreviewer(new ChartTileWindowsReader(new WatchedCharts(repositories), reader, sql));
  return new AlertPreviewService({ dashboards, savedSearches, previewer, clock, timeoutMs: previewTimeoutMs });
}

/** Sends test messages over separate connections, so that a test never waits behind alerts. */
function webhookTester(deps: ServiceDeps): TestMessageSender {
  const { secrets, targets, clock, ids, logger, cleanup } = deps;
  const dispatcher = guardedAgent(targets, testTimeoutMs);
  cleanup.push('connections of test messages', () => dispatcher.destroy());
  const proxies = new ProxyRoutes(deps.proxies, targets, testTimeoutMs);
  cleanup.push('proxied connections of webhook tests', () => proxies.destroy());
  const sender = new WebhookSender({ dispatcher, proxies, clock, timeoutMs: testTimeoutMs, tracer: deps.tracer });
  const renderer = new MessageRenderer(deps);
  return new TestMessageSender({ sender, box: secrets, renderer, clock, ids, logger });
}

function storeEngine({ telemetry }: ServiceDeps) {
  const { queries, tableSchemas, writes } = telemetry;
  return { runner: queries, schemas: tableSchemas, ...(writes && { writes }) };
}

/** Clients of the ClickHouse endpoints that users connect. */
function remoteEngines({ secrets, targets, metrics, tracer, clock, ids, cleanup }: ServiceDeps): RemoteEngines {
  const observed = { metrics: metrics.queries('connected'), tracer };
  const connect = (endpoint: RemoteEndpoint) => {
    const agent = guardedAgent(targets, remoteConnectTimeoutMs, agentOptions);
    const endpoints = new RoundRobinEndpoints([endpoint]);
    const client = new ClickHouseClient({ endpoints, agent, restartWaitMs: remoteRetryMs, clock, ids });
    const runner = new ClickHouseQueryRunner(client, clock, observed);
    return { runner, schemas: new ClickHouseTableSchemas(client, clock), close: () => client.close() };
  };
  const remote = new RemoteEngines({ secrets, targets, connect });
  cleanup.push('connected engines', () => remote.close());
  return remote;
}
