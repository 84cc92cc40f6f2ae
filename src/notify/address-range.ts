import ipaddr from 'ipaddr.js';

/** An address and how many of its bits count. */
export type AddressRange = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** A range as CIDR writes it, or one address; `undefined` for what is neither. */
export function parseAddressRange(text: string): AddressRange | undefined {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  if (!ipaddr.isValid(text)) return undefined;
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** IPv4 in the disguise of IPv6 is compared as IPv4. */
export function isWithinRange(text: string, [range, bits]: AddressRange): boolean {
  const address = ipaddr.process(text);
  return range.kind() === address.kind() && address.match(range, bits);
}
