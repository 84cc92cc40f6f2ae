import { join } from 'node:path';
import { SecretBox } from '../../src/access/secret-box.ts';
import type { Tenant } from '../../src/access/tenants.ts';
import { createProgramMetrics } from '../../src/app/metrics/program-metrics.ts';
import { createServices, type Services } from '../../src/app/services.ts';
import { CleanupStack } from '../../src/kernel/cleanup-stack.ts';
import { type Clock, systemClock } from '../../src/kernel/clock.ts';
import { randomIds as ids } from '../../src/kernel/ids.ts';
import { inlineWorkers } from '../../src/kernel/inline-workers.ts';
import { silentLogger as logger } from '../../src/kernel/logger.ts';
import { noTracer } from '../../src/kernel/tracer.ts';
import { type MetadataStore, openMetadata } from '../../src/metadata/open-metadata.ts';
import { SsrfGuard } from '../../src/notify/target-guard.ts';
import type { Alert } from '../../src/resources/alerts/alert.ts';
import { TenantDefaults } from '../../src/resources/sources/tenant-defaults.ts';
import { ClickHouseQueryRunner } from '../../src/telemetry/clickhouse-query-runner.ts';
import { ClickHouseTableSchemas } from '../../src/telemetry/table-schemas.ts';
import type { BenchEngine } from '../bench-engine.ts';

export const minuteMs = 60_000;
export const tenant: Tenant = {
  id: 'b00000000000000000000001',
  kind: 'team',
  name: 'Bench',
  telemetryDatabase: 'otel',
};

/** Runs at the speed of the real one, says at its making that it is `startMs`, and can be set. */
class BenchClock implements Clock {
  #offsetMs: number;

  constructor(startMs: number) {
    this.#offsetMs = startMs - systemClock.nowMs();
  }

  nowMs(): number {
    return systemClock.nowMs() + this.#offsetMs;
  }

  after(delayMs: number, wake: () => void): () => void {
    return systemClock.after(delayMs, wake);
  }

  setTo(ms: number): void {
    this.#offsetMs = ms - systemClock.nowMs();
  }
}

/** The metadata store and the services of one tenant, in this process, over a bench engine. */
export interface AlertStore {
  metadata: MetadataStore;
  services: Services;
  clock: BenchClock;
  secrets: SecretBox;
  /** Of the logs. */
  sourceId: string;
  close(): Promise<void>;
}

export async function openAlertStore(engine: BenchEngine, folder: string, nowMs: number): Promise<AlertStore> {
  const clock = new BenchClock(nowMs);
  const cleanup = new CleanupStack();
  const metadata = await openMetadata({ location: { kind: 'embedded', file: join(folder, 'm.db') }, clock, logger });
  cleanup.push('metadata', () => metadata.close());
  await new TenantDefaults({ ...metadata, ids, clock }).createDefaults(tenant);
  const secrets = new SecretBox('a key for the bench');
  const services = createServices({
    connectors: new Map(),
    workers: inlineWorkers,
    proxies: { direct: [] },
    repositories: metadata,
    telemetry: {
      queries: new ClickHouseQueryRunner(engine.client, systemClock),
      tableSchemas: new ClickHouseTableSchemas(engine.client, systemClock),
      databases: engine.databases,
      inserter: { insert: async () => {} },
      ping: async () => {},
    },
    metrics: createProgramMetrics(),
    tracer: noTracer,
    tenants: { find: async (id) => (id === tenant.id ? tenant : undefined), list: async () => [tenant] },
    secrets,
    targets: new SsrfGuard(['127.0.0.1']),
    publicUrl: 'http://localhost',
    clock,
    ids,
    logger,
    cleanup,
    mistimedRecords: { recent: () => [] },
    onAlertScheduled: () => {},
  });
  const [logs] = await metadata.sources.list(tenant.id);
  if (!logs) throw new Error('the tenant has no source');
  const close = () => cleanup.unwind(() => {});
  return { metadata, services, clock, secrets, sourceId: logs.id, close };
}

/** Dashboards of twenty tiles, each counting what one of the conditions finds. */
export async function addTiles(
  store: AlertStore,
  conditions: readonly string[],
): Promise<Pick<Alert, 'dashboardId' | 'tileId'>[]> {
  const all: Pick<Alert, 'dashboardId' | 'tileId'>[] = [];
  for (let from = 0; from < conditions.length; from += 20) {
    const tiles = conditions.slice(from, from + 20).map((where, index) => ({
      name: `tile ${from + index}`,
      x: 0,
      y: index * 10,
      w: 8,
      h: 10,
      series: [{ type: 'time' as const, sourceId: store.sourceId, aggFn: 'count' as const, where, groupBy: [] }],
    }));
    const { dashboard } = await store.services.dashboards.create(
      { tenantId: tenant.id, by: 'bench' },
      { name: `Shop ${from}`, tags: [], tiles },
    );
    all.push(...dashboard.tiles.map(({ id }) => ({ dashboardId: dashboard.id, tileId: id })));
  }
  return all;
}

/** `count` alerts over the tiles in turn, each with a distinct threshold that is never reached. */
export async function addAlerts(
  { metadata }: AlertStore,
  tiles: readonly Pick<Alert, 'dashboardId' | 'tileId'>[],
  { count, firstWindowEndMs }: { count: number; firstWindowEndMs: number },
): Promise<void> {
  const at = new Date(firstWindowEndMs).toISOString();
  for (let from = 0; from < count; from += 500) {
    await metadata.alerts.transaction(async (inside) => {
      for (let made = from; made < Math.min(count, from + 500); made++) {
        const alert: Alert = {
          ...tiles[made % tiles.length],
          id: ids.hex24(),
          threshold: 1_000_000 + made,
          thresholdType: 'above',
          interval: '1m',
          channels: [{ type: 'webhook', webhookId: 'e00000000000000000000001' }],
          createdAt: at,
          updatedAt: at,
        };
        await inside.insert(tenant.id, alert, firstWindowEndMs);
      }
    });
  }
}
