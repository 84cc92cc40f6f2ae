import { TileInputSchema } from '../../../src/contract/tile.ts';
import { bodyCheck } from '../../../src/http/schema-check.ts';
import { type TestAnswer, TestApi } from '../../../src/http/testing.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { randomIds } from '../../../src/kernel/ids.ts';
import { ChartReader } from '../../../src/resources/charts/answer/chart-reader.ts';
import { ChartService } from '../../../src/resources/charts/answer/chart-service.ts';
import { chartOperations } from '../../../src/resources/charts/operations/chart-operations.ts';
import { CheckedStatements } from '../../../src/resources/charts/raw-sql/checked-statements.ts';
import { SqlPlaces } from '../../../src/resources/charts/raw-sql/sql-places.ts';
import { SqlReader } from '../../../src/resources/charts/raw-sql/sql-reader.ts';
import { BucketCache } from '../../../src/resources/charts/reading/bucket-cache.ts';
import type { ConnectionEngine, RunnerForConnection } from '../../../src/resources/charts/reading/connection-engine.ts';
import { HeatmapReader } from '../../../src/resources/charts/reading/heatmap-reader.ts';
import { MetricProfiles } from '../../../src/resources/charts/reading/metric-profiles.ts';
import { ReadableSources } from '../../../src/resources/charts/reading/readable-sources.ts';
import { type ScanLimits, ScanRunner } from '../../../src/resources/charts/reading/scan-runner.ts';
import { UnseenAttributes } from '../../../src/resources/charts/reading/unseen-attributes.ts';
import { KnownFormats } from '../../../src/resources/charts/tiles/known-formats.ts';
import { TileService } from '../../../src/resources/charts/tiles/tile-service.ts';
import { FakeConnectionRepository } from '../../../src/resources/connections/fake-connection-repository.ts';
import { PatternsService } from '../../../src/resources/search/patterns-service.ts';
import { SearchService } from '../../../src/resources/search/search-service.ts';
import { FakeSourceRepository } from '../../../src/resources/sources/fake-source-repository.ts';
import { TenantDefaults } from '../../../src/resources/sources/tenant-defaults.ts';
import { TelemetryError } from '../../../src/telemetry/ports.ts';
import { otherTenant, tenant, tenants } from '../sources/source-api.ts';

export { otherTenant, tenant };

export const limits: ScanLimits = { timeoutMs: 120_000, memoryBytesMax: 1024 ** 3, resultRowsMax: 250_000 };

/** For charts whose buckets are as wide as the range alone asks for. */
export const noIntervals = { longestInterval: async () => 0 };

/** Full hours of a day in the past that no retention has reached. */
export const hourMs = 3_600_000;
export const minuteMs = 60_000;
export const t0 = Math.floor(Date.now() / hourMs) * hourMs - 6 * hourMs;

export interface ChartRow {
  ts_bucket: number;
  group: string[];
  [key: string]: unknown;
}

export interface ChartBody {
  data: ChartRow[];
  meta: {
    truncated: boolean;
    approximate: boolean;
    granularity: string;
    rowsRead: number;
    elapsedMs: number;
    warnings?: unknown;
  };
}

const noRemote: RunnerForConnection = {
  open: async () => {
    throw new TelemetryError('unavailable', 'no remote engine in this test');
  },
};

export interface ChartDeps {
  sources: FakeSourceRepository;
  connections: FakeConnectionRepository;
  readable: ReadableSources;
  runner: ScanRunner;
  cache: BucketCache;
  sql: SqlReader;
}

function operationsOf({ readable, runner, cache, sql }: ChartDeps) {
  const reader = new ChartReader({ sources: readable, runner, unseen: new UnseenAttributes(systemClock), cache });
  const events = new SearchService({
    sources: readable,
    unseen: new UnseenAttributes(systemClock),
    limits,
    clock: systemClock,
  });
  const profiles = new MetricProfiles(readable, runner, systemClock);
  const formats = new KnownFormats({ profiles, sources: readable });
  const heatmaps = new HeatmapReader({ sources: readable, unseen: new UnseenAttributes(systemClock), limits });
  const checkTile = bodyCheck(TileInputSchema);
  const patterns = new PatternsService({ sources: readable, limits, clock: systemClock });
  const tiles = new TileService({ reader, profiles, formats, events, heatmaps, patterns, sql, checkTile });
  return chartOperations(new ChartService(reader, profiles, limits.resultRowsMax), tiles);
}

function sqlReaderOver(readable: ReadableSources, own: ScanLimits): SqlReader {
  return new SqlReader(new SqlPlaces(readable), new CheckedStatements(systemClock, own), own);
}

/** The charts API over repositories in memory; both tenants have their default sources. */
export class ChartApi extends TestApi {
  readonly parts: ChartDeps;

  private constructor(parts: ChartDeps) {
    super('selfHosted', operationsOf(parts));
    this.parts = parts;
  }

  static async over(
    store: ConnectionEngine,
    options: { remote?: RunnerForConnection; limits?: Partial<ScanLimits>; cacheBytesMax?: number } = {},
  ): Promise<ChartApi> {
    const sources = new FakeSourceRepository();
    const connections = new FakeConnectionRepository();
    const remote = options.remote ?? noRemote;
    const readable = new ReadableSources({ sources, connections, tenants, store, remote });
    const defaults = new TenantDefaults({ sources, connections, ids: randomIds, clock: systemClock });
    await defaults.createDefaults(tenant);
    await defaults.createDefaults(otherTenant);
    const runner = new ScanRunner(readable, { ...limits, ...options.limits });
    const cache = new BucketCache(options.cacheBytesMax ?? 64 * 1024 ** 2);
    const sql = sqlReaderOver(readable, { ...limits, ...options.limits });
    return new ChartApi({ sources, connections, readable, runner, cache, sql });
  }

  async sourceId(kind: 'log' | 'trace' | 'metric', of = tenant): Promise<string> {
    const found = (await this.parts.sources.list(of.id)).find((source) => source.kind === kind);
    return found?.id ?? '';
  }

  /** The built-in connection of the tenant. */
  async connectionId(of = tenant): Promise<string> {
    const [builtIn] = await this.parts.connections.list(of.id);
    return builtIn?.id ?? '';
  }

  post(body: unknown, key: 'admin' | 'other' | 'none' = 'admin'): Promise<TestAnswer> {
    return this.send('POST', '/charts/series', { body, key });
  }

  /** The whole answer to a request that must succeed. */
  async chart(body: unknown): Promise<ChartBody> {
    const answer = await this.post(body);
    if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.body}`);
    return answer.json as ChartBody;
  }

  /** Status and text of a rejected request, after checking both keys (decisions F5). */
  async rejection(body: unknown): Promise<[number, string]> {
    const answer = await this.post(body);
    const { message, error } = answer.json as { message: string; error: string };
    if (message !== error) throw new Error(`message and error differ: ${answer.body}`);
    return [answer.status, message];
  }
}
