import { ConfigError } from './config-error.ts';
import { type Env, wrong } from './env.ts';

/** Where telemetry lives and for how long. */
export interface TelemetryConfig {
  /** `embedded`: our own engine in the data folder; `server`: `secrets.clickhouseUrls`. */
  store: { kind: 'embedded' } | { kind: 'server'; cluster?: string };
  /** Database of the first tenant (decisions S2). */
  firstDatabase: string;
  /** Durable over power loss too, not only over a crash of the program (decisions E3). */
  fsync: boolean;
  retentionDays: { logs: number; traces: number; metrics: number };
  /** Attribute columns per table; 0 = none. */
  attributeColumnsMax: number;
}

/** Fifty years: beyond 2106 the engine's DateTime starts over, and rows would expire immediately. */
const retentionDays = { min: 1, max: 18_250 };

/** @throws {ConfigError} */
export function readTelemetryConfig(env: Env): TelemetryConfig {
  return {
    store: readStore(env),
    firstDatabase: readDatabase(env),
    fsync: env.flag('SIGNALBOX_TELEMETRY_FSYNC') ?? false,
    retentionDays: {
      logs: env.integer('SIGNALBOX_RETENTION_DAYS_LOGS', retentionDays) ?? 30,
      traces: env.integer('SIGNALBOX_RETENTION_DAYS_TRACES', retentionDays) ?? 30,
      metrics: env.integer('SIGNALBOX_RETENTION_DAYS_METRICS', retentionDays) ?? 30,
    },
    attributeColumnsMax: env.integer('SIGNALBOX_ATTRIBUTE_COLUMNS_MAX', { min: 0, max: 100 }) ?? 12,
  };
}

function readStore(env: Env): TelemetryConfig['store'] {
  const cluster = env.matching(
    'SIGNALBOX_CLICKHOUSE_CLUSTER',
    /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/,
    'the name of a cluster',
  );
  if (env.text('SIGNALBOX_CLICKHOUSE_URL') !== undefined) {
    return { kind: 'server', ...(cluster === undefined ? {} : { cluster }) };
  }
  if (cluster === undefined) return { kind: 'embedded' };
  throw new ConfigError('SIGNALBOX_CLICKHOUSE_CLUSTER must be set together with SIGNALBOX_CLICKHOUSE_URL.');
}

function readDatabase(env: Env): string {
  const name = 'SIGNALBOX_CLICKHOUSE_DATABASE';
  const right = 'a name of lower-case letters, digits and underscores';
  const database = env.matching(name, /^[a-z_][a-z0-9_]{0,63}$/, right) ?? 'otel';
  if (/^(default|system|information_schema)$/i.test(database)) {
    throw wrong(name, 'a database that nothing else uses', database);
  }
  return database;
}
