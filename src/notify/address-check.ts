import ipaddr from 'ipaddr.js';
import { isHostServiceAddress } from './host-services.ts';

const globalIpv6 = ipaddr.parseCIDR('2000::/3');

/**
 * May a request go to this address? Only plain public unicast (decisions A9): no private, loopback, link-local,
 * reserved or documentation range, and no host service of a cloud; of IPv6 only 2000::/3, since `::7f00:1` is loopback
 * in an old disguise.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast' || isHostServiceAddress(text)) return false;
  return address.kind() === 'ipv4' || address.match(globalIpv6);
}

/** The address in the host part of a URL (IPv6 in brackets); `undefined` for a name. */
export function addressInHost(hostname: string): string | undefined {
  const bare = hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname;
  return ipaddr.isValid(bare) ? bare : undefined;
}
