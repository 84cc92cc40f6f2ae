import type { LogLevel } from '../kernel/logger.ts';
import { trimTrailing } from '../kernel/trim-trailing.ts';
import { type AlertingConfig, readAlertingConfig } from './alerting-config.ts';
import { ConfigError } from './config-error.ts';
import { Env, wrong } from './env.ts';
import { type ListenConfig, readListenConfig } from './listen-config.ts';
import { type ProxyConfig, readProxyConfig } from './proxy-config.ts';
import { type Role, readRoles } from './roles.ts';
import { readSecrets, type Secrets } from './secrets.ts';
import { readTelemetryConfig, type TelemetryConfig } from './telemetry-config.ts';
import { type Environment, rejectUnknownVariables } from './variables.ts';

/** Everything that can be set, complete and checked. Holds no secret outside `secrets`. */
export interface Config {
  flavour: 'selfHosted' | 'managed';
  roles: ReadonlySet<Role>;
  listen: ListenConfig;
  telemetry: TelemetryConfig;
  metadataStore: 'embedded' | 'postgres';
  dataFolder: string;
  provisioningFile?: string;
  /** Without trailing slash; absent = `http://localhost:<web port>`, known once that port is bound. */
  publicUrl?: string;
  /** Where programs reach the collector's OTLP/HTTP; absent = the host of the web UI, at the collector's port. */
  otlpPublicUrl?: string;
  /** Where the web role finds the API when that role runs elsewhere; without trailing slash. */
  apiUrl?: string;
  /** Absolute; the only folder from which pipes may read `file:` URLs. */
  pipeFilesFolder?: string;
  /** Where pipes find Kinesis instead of AWS. */
  pipeKinesisUrl?: string;
  /** Hosts that the guard against requests to inside addresses lets through; lower case. */
  webhookAllowedHosts: readonly string[];
  /** Per key; absent = neither keys nor failed authentication are limited (decisions F9). */
  rateLimit?: { requests: number; windowMs: number };
  /** Also serve the path words of managed clients in the wild (decisions F7). */
  aliases: boolean;
  alerting: AlertingConfig;
  proxies: ProxyConfig;
  selfTelemetry: boolean;
  logLevel: LogLevel;
  /** A shutdown that takes longer is cut short. */
  shutdownTimeoutMs: number;
  secrets: Secrets;
}

/**
 * Environment in, configuration out. Empty variables count as unset (U-105).
 * @throws {ConfigError} for the first wrong, contradictory or unknown setting
 */
export function loadConfig(environment: Environment): Config {
  rejectUnknownVariables(environment);
  const env = new Env(environment);
  const flavour = env.choice('SIGNALBOX_FLAVOUR', ['self-hosted', 'managed']) === 'managed' ? 'managed' : 'selfHosted';
  const roles = readRoles(env, flavour);
  const secrets = readSecrets(env);
  const rateLimit = readRateLimit(env, flavour);
  return {
    flavour,
    roles,
    secrets,
    listen: readListenConfig(env, roles),
    telemetry: readTelemetryConfig(env),
    metadataStore: secrets.postgresUrl ? 'postgres' : 'embedded',
    dataFolder: env.text('SIGNALBOX_DATA_DIR') ?? './data',
    ...readOptionalPlaces(env),
    webhookAllowedHosts: env.list('SIGNALBOX_WEBHOOK_ALLOWED_HOSTS').map(checkHost),
    ...(rateLimit ? { rateLimit } : {}),
    aliases: env.flag('SIGNALBOX_ALIASES') ?? false,
    alerting: readAlertingConfig(env),
    proxies: readProxyConfig(env),
    selfTelemetry: env.flag('SIGNALBOX_SELF_TELEMETRY') ?? true,
    logLevel: env.choice('SIGNALBOX_LOG_LEVEL', ['debug', 'info', 'warn', 'error']) ?? 'info',
    // The interface promises five seconds.
    shutdownTimeoutMs: env.integer('SIGNALBOX_SHUTDOWN_TIMEOUT_MS', { min: 1_000, max: 600_000 }) ?? 4_800,
  };
}

function readOptionalPlaces(
  env: Env,
): Pick<Config, 'provisioningFile' | 'publicUrl' | 'otlpPublicUrl' | 'apiUrl' | 'pipeFilesFolder' | 'pipeKinesisUrl'> {
  const provisioningFile = env.text('SIGNALBOX_PROVISIONING');
  const publicUrl = readBaseUrl(env, 'SIGNALBOX_PUBLIC_URL');
  const otlpPublicUrl = readBaseUrl(env, 'SIGNALBOX_OTLP_PUBLIC_URL');
  const apiUrl = readBaseUrl(env, 'SIGNALBOX_API_URL');
  const pipeKinesisUrl = readBaseUrl(env, 'SIGNALBOX_PIPE_KINESIS_URL');
  const pipeFilesFolder = env.matching('SIGNALBOX_PIPE_FILES_DIR', /^\//, 'an absolute path');
  return {
    ...(pipeFilesFolder === undefined ? {} : { pipeFilesFolder }),
    ...(pipeKinesisUrl === undefined ? {} : { pipeKinesisUrl }),
    ...(provisioningFile === undefined ? {} : { provisioningFile }),
    ...(publicUrl === undefined ? {} : { publicUrl }),
    ...(otlpPublicUrl === undefined ? {} : { otlpPublicUrl }),
    ...(apiUrl === undefined ? {} : { apiUrl }),
  };
}

type BaseUrlName =
  | 'SIGNALBOX_PUBLIC_URL'
  | 'SIGNALBOX_OTLP_PUBLIC_URL'
  | 'SIGNALBOX_API_URL'
  | 'SIGNALBOX_PIPE_KINESIS_URL';

function readBaseUrl(env: Env, name: BaseUrlName): string | undefined {
  const url = env.url(name, ['http:', 'https:']);
  if (!url) return undefined;
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
    throw new ConfigError(`${name} must be a URL without user, query and fragment.`);
  }
  return trimTrailing(url.href, '/');
}

/** Decisions F9: 600 per minute self-hosted, 10 per 10 seconds managed; 0 = off. */
function readRateLimit(env: Env, flavour: Config['flavour']): Config['rateLimit'] {
  const perMinute = env.integer('SIGNALBOX_RATE_LIMIT_PER_MINUTE', { min: 0, max: 1_000_000_000 });
  if (perMinute === 0) return undefined;
  if (perMinute !== undefined) return { requests: perMinute, windowMs: 60_000 };
  return flavour === 'managed' ? { requests: 10, windowMs: 10_000 } : { requests: 600, windowMs: 60_000 };
}

function checkHost(text: string): string {
  if (/^(\*\.)?[A-Za-z0-9._-]+(:[0-9]{1,5})?$|^\[?[0-9A-Fa-f:.]+\]?(\/[0-9]{1,3})?$/.test(text))
    return text.toLowerCase();
  throw wrong('SIGNALBOX_WEBHOOK_ALLOWED_HOSTS', 'a comma-separated list of host names or addresses', text);
}
