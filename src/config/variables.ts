import { nearestName } from '../kernel/nearest-name.ts';
import { ConfigError } from './config-error.ts';

/** Every variable that the program reads. */
export const variableNames = [
  'SIGNALBOX_ALERT_DELAY_MS',
  'SIGNALBOX_ALIASES',
  'SIGNALBOX_API_PORT',
  'SIGNALBOX_API_URL',
  'SIGNALBOX_ATTRIBUTE_COLUMNS_MAX',
  'SIGNALBOX_CLICKHOUSE_CLUSTER',
  'SIGNALBOX_CLICKHOUSE_DATABASE',
  'SIGNALBOX_CLICKHOUSE_URL',
  'SIGNALBOX_DATA_DIR',
  'SIGNALBOX_FLAVOUR',
  'SIGNALBOX_HOST',
  'SIGNALBOX_LOG_LEVEL',
  'SIGNALBOX_OPS_PORT',
  'SIGNALBOX_OTLP_GRPC_PORT',
  'SIGNALBOX_OTLP_HTTP_PORT',
  'SIGNALBOX_OTLP_PUBLIC_URL',
  'SIGNALBOX_PIPE_FILES_DIR',
  'SIGNALBOX_PIPE_KINESIS_URL',
  'SIGNALBOX_POSTGRES_URL',
  'SIGNALBOX_PREVIOUS_SECRET_KEY',
  'SIGNALBOX_PROVISIONING',
  'SIGNALBOX_PUBLIC_URL',
  'SIGNALBOX_RATE_LIMIT_PER_MINUTE',
  'SIGNALBOX_RETENTION_DAYS_ALERT_LOG',
  'SIGNALBOX_RETENTION_DAYS_LOGS',
  'SIGNALBOX_RETENTION_DAYS_METRICS',
  'SIGNALBOX_RETENTION_DAYS_TRACES',
  'SIGNALBOX_ROLES',
  'SIGNALBOX_SECRET_KEY',
  'SIGNALBOX_SELF_TELEMETRY',
  'SIGNALBOX_SHUTDOWN_TIMEOUT_MS',
  'SIGNALBOX_TELEMETRY_FSYNC',
  'SIGNALBOX_TLS_CERT',
  'SIGNALBOX_TLS_KEY',
  'SIGNALBOX_TRUSTED_PROXIES',
  'SIGNALBOX_WEBHOOK_ALLOWED_HOSTS',
  'SIGNALBOX_WEBHOOK_RETRY_MS',
  'SIGNALBOX_WEBHOOK_TIMEOUT_MS',
  'SIGNALBOX_WEB_PORT',
] as const;

/** Those that other programs read, too; the lower-case ones win. */
const proxyVariables = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'] as const;

export type VariableName = (typeof variableNames)[number] | (typeof proxyVariables)[number];
export type Environment = Readonly<Record<string, string | undefined>>;

/** What Kubernetes puts into the environment of a pod for a service called `signalbox` or `signalbox-…`. */
const serviceLinkName = /_SERVICE_(HOST|PORT)$|_SERVICE_PORT_.|_PORT_\d+_(TCP|UDP|SCTP)(_.|$)/;
const serviceLinkValue = /^(tcp|udp|sctp):\/\//;

export function isServiceLink(name: string, value: string): boolean {
  return serviceLinkName.test(name) || serviceLinkValue.test(value);
}

/** A misspelt setting would be ignored silently, so it stops the start. @throws {ConfigError} */
export function rejectUnknownVariables(environment: Environment): void {
  const known = new Set<string>(variableNames);
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith('SIGNALBOX_') || name.startsWith('SIGNALBOX_TEST_') || known.has(name)) continue;
    if (value === undefined || isServiceLink(name, value)) continue;
    throw new ConfigError(`${name} is not a setting of Signalbox; did you mean ${nearestName(name, variableNames)}?`);
  }
}
