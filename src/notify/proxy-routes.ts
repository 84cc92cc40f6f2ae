import { type Dispatcher, ProxyAgent } from 'undici';
import { addressInHost } from './address-check.ts';
import { AllowedHosts } from './allowed-hosts.ts';
import { portOf, type SsrfGuard } from './target-guard.ts';

export interface ProxySettings {
  http?: URL;
  https?: URL;
  /** Hosts that are called directly, as in `NO_PROXY`. */
  direct: readonly string[];
}

/**
 * Which webhooks are called through the operator's proxy. The guard checks the target as usual if its name resolves
 * here; a name that only the proxy can resolve is for the proxy to reject. The proxy itself may be anywhere.
 */
export class ProxyRoutes {
  readonly #guard: SsrfGuard;
  readonly #direct: readonly string[];
  readonly #directAddresses: AllowedHosts;
  readonly #agents: { http?: ProxyAgent; https?: ProxyAgent };

  constructor(settings: ProxySettings, guard: SsrfGuard, connectTimeoutMs: number) {
    this.#guard = guard;
    this.#direct = settings.direct.map((entry) => entry.toLowerCase());
    this.#directAddresses = new AllowedHosts(this.#direct.filter((entry) => /^[\d.:a-f/]+$/.test(entry)));
    const agentOf = (uri: URL, proxyTunnel: boolean) => {
      const timeout = { timeout: connectTimeoutMs };
      return new ProxyAgent({ uri: uri.href, proxyTunnel, proxyTls: timeout, requestTls: timeout });
    };
    const { http, https } = settings;
    // Plain HTTP is forwarded by the proxy, not tunnelled: proxies reject tunnels to ports other than 443.
    this.#agents = { ...(http && { http: agentOf(http, false) }), ...(https && { https: agentOf(https, true) }) };
  }

  /**
   * `undefined` when the target is called directly.
   *
   * @throws TargetBlockedError
   */
  async dispatcherFor(target: URL): Promise<Dispatcher | undefined> {
    const agent = target.protocol === 'https:' ? this.#agents.https : this.#agents.http;
    if (!agent || this.#isDirect(target)) return undefined;
    await this.#guard.checkForProxy(target);
    return agent;
  }

  async destroy(): Promise<void> {
    await Promise.all([this.#agents.http?.destroy(), this.#agents.https?.destroy()]);
  }

  #isDirect(target: URL): boolean {
    const { hostname } = target;
    const literal = addressInHost(hostname);
    const usedPort = portOf(target);
    if (literal !== undefined && this.#directAddresses.hasAddress(literal, usedPort)) return true;
    return this.#direct.some((entry) => {
      if (entry === '*') return true;
      const [, name = entry, onPort] = /^(.+):(\d+)$/.exec(entry) ?? [];
      if (onPort !== undefined && Number(onPort) !== usedPort) return false;
      const domain = name.replace(/^\*?\./, '');
      return hostname === domain || hostname.endsWith(`.${domain}`);
    });
  }
}
