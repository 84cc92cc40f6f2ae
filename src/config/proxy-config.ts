import type { Env } from './env.ts';

/** The proxies that webhooks are called through, as the environment of other programs has them. */
export interface ProxyConfig {
  /** For http URLs. */
  http?: URL;
  /** For https URLs. */
  https?: URL;
  /** Hosts, domains, addresses and ranges that are called directly; `*` = all. */
  direct: readonly string[];
}

const protocols = ['http:', 'https:', 'socks5:'] as const;

/** @throws {ConfigError} */
export function readProxyConfig(env: Env): ProxyConfig {
  const http = env.url('http_proxy', protocols) ?? env.url('HTTP_PROXY', protocols);
  const https = env.url('https_proxy', protocols) ?? env.url('HTTPS_PROXY', protocols);
  const lower = env.list('no_proxy');
  const direct = lower.length > 0 ? lower : env.list('NO_PROXY');
  return { ...(http && { http }), ...(https && { https }), direct };
}
