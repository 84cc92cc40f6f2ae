import ipaddr from 'ipaddr.js';

/** 64 bits: what a provider hands out to one customer. */
const networkBytes = 8;

/**
 * By what an address is counted: IPv4 as it is, also where it comes as IPv6; IPv6 by its network of 64 bits, since one
 * machine may take any address in it.
 */
export function limitKeyOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const network = parsed.toByteArray().slice(0, networkBytes);
  return ipaddr.fromByteArray([...network, ...Array.from({ length: networkBytes }, () => 0)]).toString();
}
