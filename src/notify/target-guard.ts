import { lookup } from 'node:dns/promises';
import { TargetBlockedError } from '../kernel/target-blocked-error.ts';
import type { TargetCheckResult, TargetGuard } from '../resources/webhooks/target-guard-port.ts';
import { addressInHost, isPublicAddress } from './address-check.ts';
import { AllowedHosts } from './allowed-hosts.ts';
import { isHostServiceName } from './host-services.ts';

/** All addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

export const resolveWithSystem: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true, verbatim: true })).map(({ address }) => address);

const rejection =
  'the host is, or resolves to, a private, loopback, link-local or reserved address; ' +
  'only public hosts and hosts that the operator allows can be called.';

/**
 * Decides where requests to addresses that users enter may go (decisions A9), webhooks and connections alike: when they
 * are saved, and again at every connection that is made.
 */
export class SsrfGuard implements TargetGuard {
  readonly #allowed: AllowedHosts;
  readonly #resolve: Resolve;

  constructor(allowedHosts: readonly string[], resolve: Resolve = resolveWithSystem) {
    this.#allowed = new AllowedHosts(allowedHosts);
    this.#resolve = resolve;
  }

  async check(url: string): Promise<TargetCheckResult> {
    const target = parseTarget(url);
    if (!target) return { ok: false, reason: 'must be an absolute http or https URL.' };
    try {
      await this.addressFor(target.hostname, portOf(target));
      return { ok: true, listed: this.#isListed(target) };
    } catch (error) {
      // A name that does not resolve now may resolve later; it is checked again at every send.
      return error instanceof TargetBlockedError
        ? { ok: false, reason: error.message }
        : { ok: true, listed: this.#isListed(target) };
    }
  }

  /**
   * The address to connect to: the caller connects to this very address, so a second look-up can't differ.
   *
   * @throws TargetBlockedError when any address of the host is off limits
   */
  async addressFor(hostname: string, port?: number): Promise<string> {
    const isNamed = this.#allowed.hasName(hostname, port);
    if (!isNamed && isHostServiceName(hostname)) throw new TargetBlockedError(rejection);
    const literal = addressInHost(hostname);
    const addresses = literal === undefined ? await this.#resolve(hostname) : [literal];
    const [first] = addresses;
    if (first === undefined) throw new Error('the host name has no address');
    if (!isNamed && !addresses.every((address) => this.#mayReach(address, port))) {
      throw new TargetBlockedError(rejection);
    }
    return first;
  }

  /**
   * For a target that the operator's proxy resolves: a name that does not resolve here is left to the proxy.
   *
   * @throws TargetBlockedError when any address that is known here is off limits
   */
  async checkForProxy(target: URL): Promise<void> {
    try {
      await this.addressFor(target.hostname, portOf(target));
    } catch (error) {
      if (error instanceof TargetBlockedError) throw error;
    }
  }

  #isListed(target: URL): boolean {
    const literal = addressInHost(target.hostname);
    const port = portOf(target);
    return (
      this.#allowed.hasName(target.hostname, port) || (literal !== undefined && this.#allowed.hasAddress(literal, port))
    );
  }

  #mayReach(address: string, port: number | undefined): boolean {
    return isPublicAddress(address) || this.#allowed.hasAddress(address, port);
  }
}

/** Written or implied. */
export function portOf({ port, protocol }: URL): number {
  return port === '' ? impliedPort(protocol) : Number(port);
}

export function impliedPort(protocol: string): number {
  return protocol === 'https:' ? 443 : 80;
}

function parseTarget(url: string): URL | undefined {
  const target = URL.canParse(url) ? new URL(url) : undefined;
  return target && (target.protocol === 'http:' || target.protocol === 'https:') ? target : undefined;
}
