import { describe, expect, it } from 'vitest';
import { type Config, loadConfig } from './config.ts';
import { ConfigError } from './config-error.ts';
import { type Environment, variableNames } from './variables.ts';

const sentenceOf = (environment: Environment): string => {
  try {
    loadConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'no error';
};

const complete = {
  SIGNALBOX_CLICKHOUSE_URL: 'http://ch:8123',
  SIGNALBOX_POSTGRES_URL: 'postgres://db/signalbox',
  SIGNALBOX_SECRET_KEY: 'a-key-that-is-long',
  SIGNALBOX_TLS_CERT: 'cert.pem',
  SIGNALBOX_TLS_KEY: 'key.pem',
};

describe('the defaults (interface: environment)', () => {
  it('are one program on this machine with embedded engines', () => {
    expect(loadConfig({})).toEqual({
      flavour: 'selfHosted',
      roles: new Set(['api', 'collector', 'evaluator', 'web']),
      listen: {
        host: '127.0.0.1',
        ports: { api: 8000, web: 8080, otlpGrpc: 4317, otlpHttp: 4318 },
        trustedProxies: [],
      },
      telemetry: {
        store: { kind: 'embedded' },
        firstDatabase: 'otel',
        fsync: false,
        retentionDays: { logs: 30, traces: 30, metrics: 30 },
        attributeColumnsMax: 12,
      },
      metadataStore: 'embedded',
      dataFolder: './data',
      webhookAllowedHosts: [],
      proxies: { direct: [] },
      rateLimit: { requests: 600, windowMs: 60_000 },
      aliases: false,
      alerting: { delayMs: 10_000, logDays: 30, sendTimeoutMs: 30_000, firstRetryMs: 1_000 },
      selfTelemetry: true,
      shutdownTimeoutMs: 4_800,
      logLevel: 'info',
      secrets: {},
    } satisfies Config);
  });

  it('also apply to empty variables (U-105: empty = unset)', () => {
    const empty = Object.fromEntries(variableNames.map((name) => [name, ' ']));
    expect(loadConfig(empty)).toEqual(loadConfig({}));
  });
});

describe('what can be set', () => {
  const cases: [Environment, (config: Config) => unknown, unknown][] = [
    [{ SIGNALBOX_FLAVOUR: 'managed' }, ({ flavour }) => flavour, 'managed'],
    [{ SIGNALBOX_ROLES: 'api, evaluator' }, ({ roles }) => [...roles], ['api', 'evaluator']],
    [{ SIGNALBOX_FLAVOUR: 'managed' }, ({ roles }) => roles.has('pipes'), true],
    [{ SIGNALBOX_HOST: '0.0.0.0' }, ({ listen }) => listen.host, '0.0.0.0'],
    [{ SIGNALBOX_HOST: '::1' }, ({ listen }) => listen.host, '::1'],
    [{ SIGNALBOX_API_PORT: '0' }, ({ listen }) => listen.ports.api, 0],
    [{ SIGNALBOX_WEB_PORT: '65535' }, ({ listen }) => listen.ports.web, 65_535],
    [{ SIGNALBOX_OTLP_GRPC_PORT: '14317' }, ({ listen }) => listen.ports.otlpGrpc, 14_317],
    [{ SIGNALBOX_OTLP_HTTP_PORT: '14318' }, ({ listen }) => listen.ports.otlpHttp, 14_318],
    [{ SIGNALBOX_OPS_PORT: '0' }, ({ listen }) => listen.ports.ops, 0],
    [{ SIGNALBOX_DATA_DIR: '/var/lib/signalbox' }, ({ dataFolder }) => dataFolder, '/var/lib/signalbox'],
    [
      { SIGNALBOX_CLICKHOUSE_URL: 'http://u:p@a:8123, https://b:8443', SIGNALBOX_CLICKHOUSE_CLUSTER: 'prod' },
      ({ telemetry, secrets }) => [telemetry.store, secrets.clickhouseUrls?.map((url) => url.reveal())],
      [{ kind: 'server', cluster: 'prod' }, ['http://u:p@a:8123/', 'https://b:8443/']],
    ],
    [{ SIGNALBOX_CLICKHOUSE_DATABASE: 'obs' }, ({ telemetry }) => telemetry.firstDatabase, 'obs'],
    [
      { SIGNALBOX_POSTGRES_URL: 'postgresql://u:p@db:5432/sb', SIGNALBOX_SECRET_KEY: '0123456789abcdef' },
      ({ metadataStore, secrets }) => [metadataStore, secrets.postgresUrl?.reveal(), secrets.secretKey?.reveal()],
      ['postgres', 'postgresql://u:p@db:5432/sb', '0123456789abcdef'],
    ],
    [
      { SIGNALBOX_SECRET_KEY: 'the new secret key', SIGNALBOX_PREVIOUS_SECRET_KEY: 'the old secret key' },
      ({ secrets }) => [secrets.secretKey?.reveal(), secrets.previousSecretKey?.reveal()],
      ['the new secret key', 'the old secret key'],
    ],
    [{ SIGNALBOX_PROVISIONING: 'teams.yaml' }, ({ provisioningFile }) => provisioningFile, 'teams.yaml'],
    [{ SIGNALBOX_PIPE_FILES_DIR: '/srv/lake' }, ({ pipeFilesFolder }) => pipeFilesFolder, '/srv/lake'],
    [{ SIGNALBOX_PIPE_KINESIS_URL: 'http://kin:4567/' }, ({ pipeKinesisUrl }) => pipeKinesisUrl, 'http://kin:4567'],
    [{ SIGNALBOX_PUBLIC_URL: 'https://h.example/obs/' }, ({ publicUrl }) => publicUrl, 'https://h.example/obs'],
    [{ SIGNALBOX_OTLP_PUBLIC_URL: 'https://o.example/' }, ({ otlpPublicUrl }) => otlpPublicUrl, 'https://o.example'],
    [{ SIGNALBOX_ROLES: 'web', SIGNALBOX_API_URL: 'http://api:8000' }, ({ apiUrl }) => apiUrl, 'http://api:8000'],
    [
      { SIGNALBOX_WEBHOOK_ALLOWED_HOSTS: 'Hooks.internal,10.0.0.7, ::1,127.0.0.1:9999,10.0.0.0/8' },
      ({ webhookAllowedHosts }) => webhookAllowedHosts,
      ['hooks.internal', '10.0.0.7', '::1', '127.0.0.1:9999', '10.0.0.0/8'],
    ],
    [{ SIGNALBOX_FLAVOUR: 'managed' }, ({ rateLimit }) => rateLimit, { requests: 10, windowMs: 10_000 }],
    [{ SIGNALBOX_RATE_LIMIT_PER_MINUTE: '60' }, ({ rateLimit }) => rateLimit, { requests: 60, windowMs: 60_000 }],
    [{ SIGNALBOX_RATE_LIMIT_PER_MINUTE: '0' }, ({ rateLimit }) => rateLimit, undefined],
    [{ SIGNALBOX_ALIASES: '1' }, ({ aliases }) => aliases, true],
    [{ SIGNALBOX_RETENTION_DAYS_LOGS: '1' }, ({ telemetry }) => telemetry.retentionDays.logs, 1],
    [{ SIGNALBOX_RETENTION_DAYS_TRACES: '7' }, ({ telemetry }) => telemetry.retentionDays.traces, 7],
    [{ SIGNALBOX_RETENTION_DAYS_METRICS: '365' }, ({ telemetry }) => telemetry.retentionDays.metrics, 365],
    [{ SIGNALBOX_RETENTION_DAYS_ALERT_LOG: '7' }, ({ alerting }) => alerting.logDays, 7],
    [{ SIGNALBOX_ALERT_DELAY_MS: '0' }, ({ alerting }) => alerting.delayMs, 0],
    [{ SIGNALBOX_WEBHOOK_TIMEOUT_MS: '60000' }, ({ alerting }) => alerting.sendTimeoutMs, 60_000],
    [{ SIGNALBOX_WEBHOOK_RETRY_MS: '5000' }, ({ alerting }) => alerting.firstRetryMs, 5_000],
    [{ SIGNALBOX_ATTRIBUTE_COLUMNS_MAX: '0' }, ({ telemetry }) => telemetry.attributeColumnsMax, 0],
    [{ SIGNALBOX_TELEMETRY_FSYNC: '1' }, ({ telemetry }) => telemetry.fsync, true],
    [{ SIGNALBOX_SELF_TELEMETRY: 'false' }, ({ selfTelemetry }) => selfTelemetry, false],
    [{ SIGNALBOX_SHUTDOWN_TIMEOUT_MS: '30000' }, ({ shutdownTimeoutMs }) => shutdownTimeoutMs, 30_000],
    [{ SIGNALBOX_LOG_LEVEL: 'WARN' }, ({ logLevel }) => logLevel, 'warn'],
    [
      { SIGNALBOX_TLS_CERT: 'c.pem', SIGNALBOX_TLS_KEY: 'k.pem' },
      ({ listen }) => listen.tls,
      { certFile: 'c.pem', keyFile: 'k.pem' },
    ],
    [
      { SIGNALBOX_TRUSTED_PROXIES: '10.0.0.0/8, 192.168.1.1, fd00::/8' },
      ({ listen }) => listen.trustedProxies,
      ['10.0.0.0/8', '192.168.1.1', 'fd00::/8'],
    ],
  ];

  it.each(cases)('%j', (environment, read, value) => expect(read(loadConfig(environment))).toEqual(value));

  it('every variable is set well somewhere above', () => {
    const set = new Set(cases.flatMap(([environment]) => Object.keys(environment)));
    expect(variableNames.filter((name) => !set.has(name))).toEqual([]);
  });
});

describe('interface: a wrong setting stops the start with one sentence that names the variable', () => {
  const wrong: [keyof Environment & string, string][] = [
    ['SIGNALBOX_FLAVOUR', 'purple'],
    ['SIGNALBOX_ROLES', 'api,cook'],
    ['SIGNALBOX_HOST', 'http://h'],
    ['SIGNALBOX_API_PORT', '99999'],
    ['SIGNALBOX_WEB_PORT', 'abc'],
    ['SIGNALBOX_OTLP_GRPC_PORT', '-1'],
    ['SIGNALBOX_OTLP_HTTP_PORT', '43.18'],
    ['SIGNALBOX_OPS_PORT', '0x10'],
    ['SIGNALBOX_CLICKHOUSE_URL', 'not a url'],
    ['SIGNALBOX_CLICKHOUSE_URL', 'tcp:/ch:9000'],
    ['SIGNALBOX_CLICKHOUSE_CLUSTER', 'a b'],
    ['SIGNALBOX_RETENTION_DAYS_LOGS', '36500'],
    ['SIGNALBOX_CLICKHOUSE_DATABASE', 'a-b'],
    ['SIGNALBOX_CLICKHOUSE_DATABASE', 'default'],
    ['SIGNALBOX_POSTGRES_URL', 'mysql://db/x'],
    ['SIGNALBOX_SECRET_KEY', 'short'],
    ['SIGNALBOX_PREVIOUS_SECRET_KEY', 'a-key-that-is-long'],
    ['SIGNALBOX_PIPE_FILES_DIR', 'lake'],
    ['SIGNALBOX_PIPE_KINESIS_URL', 'localhost:4567'],
    ['SIGNALBOX_PUBLIC_URL', 'obs.example.com'],
    ['SIGNALBOX_OTLP_PUBLIC_URL', 'obs.example.com'],
    ['SIGNALBOX_PUBLIC_URL', 'https://h/?a=1'],
    ['SIGNALBOX_API_URL', 'ftp://api'],
    ['SIGNALBOX_WEBHOOK_ALLOWED_HOSTS', 'http://hooks'],
    ['SIGNALBOX_RATE_LIMIT_PER_MINUTE', '-5'],
    ['SIGNALBOX_ALIASES', 'maybe'],
    ['SIGNALBOX_RETENTION_DAYS_LOGS', '0'],
    ['SIGNALBOX_RETENTION_DAYS_TRACES', '1.5'],
    ['SIGNALBOX_RETENTION_DAYS_METRICS', 'forever'],
    ['SIGNALBOX_RETENTION_DAYS_ALERT_LOG', '0'],
    ['SIGNALBOX_ALERT_DELAY_MS', '10s'],
    ['SIGNALBOX_WEBHOOK_TIMEOUT_MS', '0'],
    ['SIGNALBOX_WEBHOOK_RETRY_MS', '300001'],
    ['SIGNALBOX_ATTRIBUTE_COLUMNS_MAX', '101'],
    ['SIGNALBOX_TELEMETRY_FSYNC', '2'],
    ['SIGNALBOX_SELF_TELEMETRY', 'x'],
    ['SIGNALBOX_LOG_LEVEL', 'loud'],
    ['SIGNALBOX_SHUTDOWN_TIMEOUT_MS', '0'],
    ['SIGNALBOX_TRUSTED_PROXIES', '10.0.0.0/33'],
    ['SIGNALBOX_TRUSTED_PROXIES', 'proxy.example'],
  ];

  it.each(wrong)('%s=%s', (name, value) => {
    const sentence = sentenceOf({ ...complete, [name]: value });
    expect(sentence).toMatch(new RegExp(`^${name} must .+\\.$`));
    expect(sentence).not.toContain('\n');
  });

  it('every variable that can be wrong is wrong somewhere above or below', () => {
    const anything = ['SIGNALBOX_DATA_DIR', 'SIGNALBOX_PROVISIONING', 'SIGNALBOX_TLS_CERT', 'SIGNALBOX_TLS_KEY'];
    const named = new Set([...wrong.map(([name]) => name), ...anything]);
    expect(variableNames.filter((name) => !named.has(name))).toEqual([]);
  });
});

describe('interface: a contradictory setting stops the start', () => {
  it.each([
    ['PostgreSQL without the secret key', { SIGNALBOX_POSTGRES_URL: 'postgres://db/x' }, 'SIGNALBOX_SECRET_KEY'],
    ['a certificate without its key', { SIGNALBOX_TLS_CERT: 'c.pem' }, 'SIGNALBOX_TLS_KEY'],
    ['a key without its certificate', { SIGNALBOX_TLS_KEY: 'k.pem' }, 'SIGNALBOX_TLS_CERT'],
    ['a cluster without a server', { SIGNALBOX_CLICKHOUSE_CLUSTER: 'prod' }, 'SIGNALBOX_CLICKHOUSE_URL'],
    ['a UI that does not know its API', { SIGNALBOX_ROLES: 'web' }, 'SIGNALBOX_API_URL'],
    ['pipes in the flavour that has none', { SIGNALBOX_ROLES: 'api,pipes' }, 'SIGNALBOX_ROLES'],
    ['two parts on one port', { SIGNALBOX_API_PORT: '8080' }, 'SIGNALBOX_WEB_PORT'],
    ['operations on a port in use', { SIGNALBOX_OPS_PORT: '4318' }, 'SIGNALBOX_OPS_PORT'],
  ])('%s', (_, environment, name) => expect(sentenceOf(environment)).toContain(name));

  it('but a port of a part that does not run is free, and so is port 0', () => {
    expect(sentenceOf({ SIGNALBOX_ROLES: 'api', SIGNALBOX_API_PORT: '8080' })).toBe('no error');
    expect(sentenceOf({ SIGNALBOX_API_PORT: '0', SIGNALBOX_WEB_PORT: '0' })).toBe('no error');
  });
});

describe('proxies', () => {
  it('are those of other programs; lower-case names win', () => {
    const { proxies } = loadConfig({
      HTTP_PROXY: 'http://upper:3128',
      http_proxy: 'http://lower:3128',
      HTTPS_PROXY: 'http://user:secret@proxy:3128',
      NO_PROXY: 'localhost, .internal',
    });
    expect(proxies.http?.href).toBe('http://lower:3128/');
    expect(proxies.https?.hostname).toBe('proxy');
    expect(proxies.direct).toEqual(['localhost', '.internal']);
  });

  it('that cannot be used are named without their password', () => {
    expect(() => loadConfig({ HTTPS_PROXY: 'ftp://user:secret@proxy' })).toThrow(/^(?!.*secret).*HTTPS_PROXY/);
  });
});

describe('unknown variables', () => {
  it('are named with the nearest known one', () => {
    const sentence = sentenceOf({ SIGNALBOX_RETENTION_DAY_LOGS: '7' });
    expect(sentence).toBe(
      'SIGNALBOX_RETENTION_DAY_LOGS is not a setting of Signalbox; did you mean SIGNALBOX_RETENTION_DAYS_LOGS?',
    );
  });

  it('of tests, of other programs and of Kubernetes services called signalbox do not matter', () => {
    const environment = {
      SIGNALBOX_TEST_POSTGRES_URL: 'x',
      PATH: '/bin',
      SIGNALBOX_SERVICE_HOST: '10.0.0.1',
      SIGNALBOX_SERVICE_PORT_API: '8000',
      SIGNALBOX_PORT: 'tcp://10.0.0.1:8000',
      SIGNALBOX_PORT_8000_TCP_ADDR: '10.0.0.1',
      SIGNALBOX_API_PORT: 'tcp://10.0.0.1:8000',
    };
    expect(loadConfig(environment)).toEqual(loadConfig({}));
  });
});
