import { lookup } from 'node:dns/promises';
import type { TargetGuard, TargetVerdict } from '../resources/webhooks/target-guard-port.ts';
import { AllowedHosts, addressInHost, isPublicAddress } from './address-check.ts';

/** All addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

export const resolveWithSystem: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true, verbatim: true })).map(({ address }) => address);

/** A request must not go there. The message is for the person who set the webhook up and names no resolved address. */
export class TargetRefusedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TargetRefusedError';
  }
}

const refusal =
  'the host is, or resolves to, a private, loopback, link-local or reserved address; ' +
  'only public hosts and those that the operator allows can be called.';

/** Decides where webhooks may go (decisions A9): when they are saved, and again at every send. */
export class SsrfGuard implements TargetGuard {
  readonly #allowed: AllowedHosts;
  readonly #resolve: Resolve;

  constructor(allowedHosts: readonly string[], resolve: Resolve = resolveWithSystem) {
    this.#allowed = new AllowedHosts(allowedHosts);
    this.#resolve = resolve;
  }

  async check(url: string): Promise<TargetVerdict> {
    const target = parseTarget(url);
    if (!target) return { ok: false, reason: 'must be an absolute http or https URL.' };
    try {
      await this.addressFor(target.hostname);
      return { ok: true, listed: this.#isListed(target.hostname) };
    } catch (error) {
      // A name that does not resolve now may resolve later; it is judged again at every send.
      return error instanceof TargetRefusedError
        ? { ok: false, reason: error.message }
        : { ok: true, listed: this.#isListed(target.hostname) };
    }
  }

  /**
   * The address to connect to: the caller connects to this very address, so a second look-up can't differ.
   *
   * @throws TargetRefusedError when any address of the host is off limits
   */
  async addressFor(hostname: string): Promise<string> {
    const literal = addressInHost(hostname);
    const addresses = literal === undefined ? await this.#resolve(hostname) : [literal];
    const [first] = addresses;
    if (first === undefined) throw new Error('the host name has no address');
    if (!this.#allowed.hasName(hostname) && !addresses.every((address) => this.mayReach(address))) {
      throw new TargetRefusedError(refusal);
    }
    return first;
  }

  /**
   * For a target that a proxy of the operator resolves: a name that nobody knows here is left to the proxy.
   *
   * @throws TargetRefusedError when any address that is known here is off limits
   */
  async checkForProxy(hostname: string): Promise<void> {
    try {
      await this.addressFor(hostname);
    } catch (error) {
      if (error instanceof TargetRefusedError) throw error;
    }
  }

  #isListed(hostname: string): boolean {
    const literal = addressInHost(hostname);
    return this.#allowed.hasName(hostname) || (literal !== undefined && this.#allowed.hasAddress(literal));
  }

  mayReach(address: string): boolean {
    return isPublicAddress(address) || this.#allowed.hasAddress(address);
  }
}

function parseTarget(url: string): URL | undefined {
  const target = URL.canParse(url) ? new URL(url) : undefined;
  return target && (target.protocol === 'http:' || target.protocol === 'https:') ? target : undefined;
}
