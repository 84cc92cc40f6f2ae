import ipaddr from 'ipaddr.js';

const globalIpv6 = ipaddr.parseCIDR('2000::/3');

/**
 * May a request go to this address? Only plain public unicast (decisions A9): no private, loopback, link-local,
 * reserved or documentation range; of IPv6 only 2000::/3, since `::7f00:1` is loopback in an old disguise.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(globalIpv6);
}

/** The address in the host part of a URL (IPv6 in brackets); `undefined` for a name. */
export function addressInHost(hostname: string): string | undefined {
  const bare = hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname;
  return ipaddr.isValid(bare) ? bare : undefined;
}

/** Exceptions from configuration: names, addresses and CIDR ranges. */
export class AllowedHosts {
  readonly #names = new Set<string>();
  readonly #ranges: [ipaddr.IPv4 | ipaddr.IPv6, number][] = [];

  /** `entries` as in `SIGNALBOX_WEBHOOK_ALLOWED_HOSTS`, split and without blanks; an entry may carry a port, which is ignored. */
  constructor(entries: readonly string[]) {
    for (const entry of entries) {
      const host = hostOfEntry(entry);
      if (ipaddr.isValidCIDR(host)) this.#ranges.push(ipaddr.parseCIDR(host));
      else if (ipaddr.isValid(host)) this.#ranges.push(wholeAddress(host));
      else this.#names.add(host);
    }
  }

  hasName(hostname: string): boolean {
    return this.#names.has(hostname.toLowerCase().replace(/\.$/, ''));
  }

  hasAddress(text: string): boolean {
    const address = ipaddr.process(text);
    return this.#ranges.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits));
  }
}

function wholeAddress(host: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const address = ipaddr.process(host);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

function hostOfEntry(entry: string): string {
  const lower = entry.toLowerCase();
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(lower);
  if (bracketed?.[1]) return bracketed[1];
  return lower.replace(/^([^:]+):\d+$/, '$1').replace(/\.$/, '');
}
