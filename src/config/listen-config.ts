import { isIP } from 'node:net';
import { ConfigError } from './config-error.ts';
import { type Env, wrong } from './env.ts';
import type { Role } from './roles.ts';
import type { VariableName } from './variables.ts';

/** Where the program listens, and what is in front of it. */
export interface ListenConfig {
  host: string;
  /** 0 = any free port. `ops` absent = no separate port for health, readiness and metrics. */
  ports: { api: number; web: number; otlpGrpc: number; otlpHttp: number; ops?: number };
  /** PEM files; absent = a proxy in front ends TLS (decisions F10). */
  tls?: { certFile: string; keyFile: string };
  /** Addresses and networks (CIDR) whose forwarded client address counts. */
  trustedProxies: readonly string[];
}

/** @throws {ConfigError} */
export function readListenConfig(env: Env, roles: ReadonlySet<Role>): ListenConfig {
  const tls = readTls(env);
  return {
    host: env.matching('SIGNALBOX_HOST', /^[A-Za-z0-9.:_-]+$/, 'a host name or an IP address') ?? '127.0.0.1',
    ports: readPorts(env, roles),
    ...(tls ? { tls } : {}),
    trustedProxies: env.list('SIGNALBOX_TRUSTED_PROXIES').map(checkNetwork),
  };
}

function readPorts(env: Env, roles: ReadonlySet<Role>): ListenConfig['ports'] {
  const ops = env.port('SIGNALBOX_OPS_PORT');
  const ports = {
    api: env.port('SIGNALBOX_API_PORT') ?? 8000,
    web: env.port('SIGNALBOX_WEB_PORT') ?? 8080,
    otlpGrpc: env.port('SIGNALBOX_OTLP_GRPC_PORT') ?? 4317,
    otlpHttp: env.port('SIGNALBOX_OTLP_HTTP_PORT') ?? 4318,
    ...(ops === undefined ? {} : { ops }),
  };
  rejectSharedPort([
    ...(roles.has('api') ? [['SIGNALBOX_API_PORT', ports.api] as const] : []),
    ...(roles.has('web') ? [['SIGNALBOX_WEB_PORT', ports.web] as const] : []),
    ...(roles.has('collector') ? [['SIGNALBOX_OTLP_GRPC_PORT', ports.otlpGrpc] as const] : []),
    ...(roles.has('collector') ? [['SIGNALBOX_OTLP_HTTP_PORT', ports.otlpHttp] as const] : []),
    ...(ops === undefined ? [] : [['SIGNALBOX_OPS_PORT', ops] as const]),
  ]);
  return ports;
}

function rejectSharedPort(ports: readonly (readonly [VariableName, number])[]): void {
  const seen = new Map<number, VariableName>();
  for (const [name, port] of ports) {
    const other = seen.get(port);
    if (port !== 0 && other) throw new ConfigError(`${name} and ${other} must be different ports, not both ${port}.`);
    seen.set(port, name);
  }
}

function readTls(env: Env): ListenConfig['tls'] {
  const certFile = env.text('SIGNALBOX_TLS_CERT');
  const keyFile = env.text('SIGNALBOX_TLS_KEY');
  if (certFile === undefined && keyFile === undefined) return undefined;
  if (certFile === undefined) throw new ConfigError('SIGNALBOX_TLS_CERT must be set together with SIGNALBOX_TLS_KEY.');
  if (keyFile === undefined) throw new ConfigError('SIGNALBOX_TLS_KEY must be set together with SIGNALBOX_TLS_CERT.');
  return { certFile, keyFile };
}

function checkNetwork(text: string): string {
  const [address = '', prefix, ...rest] = text.split('/');
  const bitsMax = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  const prefixRight = prefix === undefined || (/^[0-9]{1,3}$/.test(prefix) && Number(prefix) <= bitsMax);
  if (bitsMax < 0 || !prefixRight || rest.length > 0) {
    throw wrong(
      'SIGNALBOX_TRUSTED_PROXIES',
      'a comma-separated list of IP addresses and networks like 10.0.0.0/8',
      text,
    );
  }
  return text;
}
